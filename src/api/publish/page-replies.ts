/** The pages of publications as replies. Those that were asked for lately stay in memory, compressed. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { GzipReply } from '../../http/response/reply.ts';
import { BlobDamagedError } from '../../lib/errors.ts';
import { BytesCache, type Made } from '../../lib/memory/bytes-cache.ts';
import { anyOrigin } from '../../model/publication.ts';
import { newestVersion, type Publication } from '../../store/stored-publication.ts';
import { etagOfContent } from '../crud/etag.ts';
import type { Api } from '../declaration.ts';
import { storedFilesOf } from '../files/file-endpoints.ts';
import { publicHeaders } from '../pages/viewer-endpoint.ts';
import { connectSources, withConnections } from './page/connect-sources.ts';
import { emptyContent, type PageContent } from './page/page-content.ts';
import { pageHeaders } from './page-headers.ts';
import { type PageAddresses, pageOf, pagePolicy } from './published-page.ts';

/** Memory of all pages that are kept, in bytes. */
const keptBytesMax = 8 * 1024 * 1024;

const decompressed = promisify(gunzip);
const compressed = promisify(gzip);

/**
 * Page and pointer change with each publication. Browsers ask each time whether they have, which is a 304 of no content. Caches that many
 * visitors share ask every ten seconds.
 */
export const shortLived = { ...publicHeaders, 'Cache-Control': 'public, max-age=0, s-maxage=10' };

/** The published map that an address names. */
export interface NamedMap {
  readonly publication: Publication;
  readonly accountId: string;
  /** '' for none. */
  readonly name: string;
}

/** A page, and what else is made of its content. */
export interface Page {
  readonly gzip: Uint8Array;
  readonly length: number;
  readonly etag: string;
  /** Without the addresses that it asks, which depend on the request. */
  readonly policy: string;
  readonly title: string;
}

/** The page as the client of a request gets it. @param host of the request */
export function pageReply({ gzip, length, etag, policy }: Page, api: Api, host: string | undefined): GzipReply & Tagged {
  const headers = { ...shortLived, ...pageHeaders(withConnections(policy, connectSources(api, host))) };
  return { kind: 'gzip', status: 200, gzip, length, contentType: 'text/html; charset=utf-8', etag, headers };
}

type Tagged = Required<Pick<GzipReply, 'etag' | 'headers'>>;

export class PageReplies {
  readonly #api: Api;
  readonly #kept = new BytesCache<Page>(keptBytesMax);

  constructor(api: Api) {
    this.#api = api;
  }

  /** The page of a publication. A damaged or missing content is reported, and the page is there without it. */
  of(map: NamedMap): Page | Promise<Page> {
    const { slug, lsn } = map.publication;
    return this.#kept.of(`${slug} ${lsn}`, () => this.#make(map));
  }

  async #make({ publication, accountId, name }: NamedMap): Promise<Made<Page>> {
    const found = await this.#content(publication, accountId);
    const content = found ?? emptyContent;
    const policy = pagePolicy(content, ancestorsOf(publication.origins));
    const text = pageOf(content, addressesOf(this.#api, publication, name));
    const compressedText = await compressed(text);
    // A 304 confirms the policy of the page, too, which names the public URL.
    const etag = etagOfContent(withConnections(policy, connectSources(this.#api, undefined)), text);
    const value = { gzip: compressedText, length: Buffer.byteLength(text), etag, policy, title: content.title };
    const hasAll = found !== undefined || newestVersion(publication).page === undefined;
    return { value, bytes: hasAll ? compressedText.byteLength : undefined };
  }

  /** The content of the newest page; `undefined` if there is none, or if it is damaged. */
  async #content(publication: Publication, accountId: string): Promise<PageContent | undefined> {
    const { page } = newestVersion(publication);
    if (page === undefined) return undefined;
    const files = storedFilesOf(this.#api);
    try {
      const json = await files.reading(page, () => files.blobs.read(page.digest, page.bytes, accountId));
      return JSON.parse((await decompressed(json)).toString()) as PageContent;
    } catch (error) {
      if (error instanceof BlobDamagedError) return undefined;
      throw error;
    }
  }
}

function addressesOf({ basePath, publicUrl }: Api, publication: Publication, name: string): PageAddresses {
  const { slug } = publication;
  const { picture } = newestVersion(publication);
  // Previews are shown on other sites: a path alone leads nowhere there.
  const root = publicUrl.startsWith('http') ? publicUrl : '';
  const page = root === '' ? '' : `${root}/p/${name || slug}`;
  return {
    ...{ viewer: `${basePath}/viewer.js`, map: `${basePath}/p/${slug}`, page },
    oembed: page === '' ? '' : `${root}/oembed?url=${encodeURIComponent(page)}`,
    // A name can be given up while the page is open, or its preview is shown.
    picture: root === '' || picture === undefined ? '' : `${root}/p/${slug}/${pictureName(picture.digest)}`,
  };
}

/** The name of a picture next to its page. */
export const pictureName = (digest: string): string => `picture-${digest}.png`;

function ancestorsOf(origins: readonly string[]): string {
  return origins.length === 0 ? "'none'" : origins.includes(anyOrigin) ? '*' : origins.join(' ');
}
