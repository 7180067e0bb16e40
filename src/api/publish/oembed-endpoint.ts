/** `GET /oembed?url=`: what programs need to show a published map in their own pages, as oEmbed 1.0 says (https://oembed.com). */
import { problems } from '../../http/problem.ts';
import type { Reply } from '../../http/response/reply.ts';
import type { ApiRequest, PublicEndpoint } from '../../http/route.ts';
import { framePowers } from '../../lib/draw/frame-powers.ts';
import { escapeHtml } from '../../lib/html/escape-html.ts';
import { newestVersion } from '../../store/stored-publication.ts';
import { conditional, etagOfContent } from '../crud/etag.ts';
import { type Api, publicEndpoint } from '../declaration.ts';
import { answered } from '../openapi/openapi-parts.ts';
import { publicGet } from '../openapi/public-operation.ts';
import { publicHeaders } from '../pages/viewer-endpoint.ts';
import { type NamedMap, type PageReplies, pictureName } from './page-replies.ts';
import { pictureSize } from './published-page.ts';

/** Size of a map where a program names none, in CSS pixels. */
const usualSize = { width: 800, height: 600 } as const;

/** Seconds for which a program may keep the answer. */
const cacheAge = 3600;

const headers = { ...publicHeaders, 'Cache-Control': `public, max-age=${cacheAge}` };

const inQuery = (name: string, type: string, description: string, required = false) => ({
  ...{ name, in: 'query', required, description },
  schema: { type, ...(type === 'integer' && { minimum: 1 }) },
});

export const oembedPaths = {
  '/oembed': publicGet({
    ...{ id: 'getOembed', tag: 'Publications', summary: 'How to embed a published map (oEmbed)' },
    query: [
      inQuery('url', 'string', 'Address of the page of a published map', true),
      inQuery('maxwidth', 'integer', 'Most width of the map, in pixels'),
      inQuery('maxheight', 'integer', 'Most height of the map, in pixels'),
      inQuery('format', 'string', '`json`, the only form'),
    ],
    responses: {
      '200': answered('A frame with the map, as oEmbed 1.0 describes it.', 'application/json', { type: 'object' }, ['ETag']),
    },
    refusals: ['bad_request', 'not_found'],
    isConditional: true,
  }),
};

interface OembedParts {
  readonly api: Api;
  readonly pages: PageReplies;
  /** @param address the slug or the name of a map. Rejects with the problem of one that is not public. */
  find(address: string): Promise<NamedMap>;
  notPublic(): Error;
}

export function oembedEndpoint({ api, pages, find, notPublic }: OembedParts): PublicEndpoint {
  const handle = async (request: ApiRequest<unknown>): Promise<Reply> => {
    const query = new URL(request.url, 'http://maps.invalid').searchParams;
    const address = query.get('url');
    if (address === null || address === '')
      throw problems.badParameter('url', 'The query has no "url": send the address of the page of a map.');
    if ((query.get('format') ?? 'json') !== 'json')
      throw problems.badParameter('format', 'The query parameter "format" must be "json": there is no other form.');
    const most = { width: sizeIn(query, 'maxwidth'), height: sizeIn(query, 'maxheight') };
    const page = pageIn(api, address, request.headers.host);
    if (page === undefined) throw notPublic();
    const map = await find(page.address);
    const { title } = await pages.of(map);
    const json = JSON.stringify(described(page.root, map, title, most));
    return conditional(request, etagOfContent(json), headers, () => ({
      ...{ kind: 'json', status: 200, json, etag: etagOfContent(json), headers },
    }));
  };
  return publicEndpoint('/oembed', handle, publicHeaders);
}

interface Page {
  /** The whole address of the server. */
  readonly root: string;
  /** The slug or the name of the map. */
  readonly address: string;
}

/** The page of a map on this server; `undefined` for any other address. @param host that the client named */
function pageIn({ publicUrl, basePath }: Api, address: string, host: string | undefined): Page | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isOwn = publicUrl.startsWith('http') ? url.origin === new URL(publicUrl).origin : url.host === host;
  const path = `${basePath}/p/`;
  if (!isOwn || !/^https?:$/.test(url.protocol) || !url.pathname.startsWith(path)) return undefined;
  const named = url.pathname.slice(path.length).replace(/\/$/, '');
  return named === '' || named.includes('/') ? undefined : { root: `${url.origin}${basePath}`, address: named };
}

/** `undefined` if the query does not name it. */
function sizeIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw problems.badParameter(name, `The query parameter "${name}" must be a whole number of pixels from 1 to 999999.`);
  return Number(text);
}

function described(
  root: string,
  { publication, name }: NamedMap,
  title: string,
  most: { readonly width: number | undefined; readonly height: number | undefined },
): object {
  const width = Math.min(usualSize.width, most.width ?? usualSize.width);
  const height = Math.min(usualSize.height, most.height ?? usualSize.height);
  const address = `${root}/p/${name || publication.slug}`;
  const { picture } = newestVersion(publication);
  const common = {
    ...{ version: '1.0', title, provider_name: 'mapwright', provider_url: `${root}/`, cache_age: cacheAge },
    // A program that wants a smaller thumbnail gets none.
    ...(picture !== undefined &&
      (most.width ?? pictureSize.width) >= pictureSize.width &&
      (most.height ?? pictureSize.height) >= pictureSize.height && {
        thumbnail_url: `${root}/p/${publication.slug}/${pictureName(picture.digest)}`,
        thumbnail_width: pictureSize.width,
        thumbnail_height: pictureSize.height,
      }),
  };
  // No site may show such a map in a frame.
  if (publication.origins.length === 0) return { type: 'link', ...common };
  return { type: 'rich', ...common, width, height, html: frameOf(address, title, width, height) };
}

const frameOf = (address: string, title: string, width: number, height: number): string =>
  `<iframe src="${escapeHtml(address)}" title="${escapeHtml(title)}" width="${width}" height="${height}" style="border:0;max-width:100%" loading="lazy" allow="${framePowers}"></iframe>`;
