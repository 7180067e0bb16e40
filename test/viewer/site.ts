/** A web site with published maps, for tests: `viewer.js` and its parts as a server sends them, pages with the policy of published maps, and tiles. */
import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { viewerParts, viewerScript } from '../../src/api/pages/viewer-endpoint.ts';

/** The policy of a published map. */
export const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src * data:',
  'connect-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

export interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** One grey pixel: the browser scales it to a tile. */
const tile = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mOor6//DwAFfgJ+3+5RTwAAAABJRU5ErkJggg==',
  'base64',
);

export interface SiteOptions {
  /** The part that shows popups, instead of that of a server. */
  readonly details?: string;
  /** Instead of the policy of a published map; '' for none. */
  readonly policy?: string;
  /** `none` instead of the site's own tiles. */
  readonly tiles?: string;
}

export class Site {
  readonly url: string;
  /** Requested paths, in their order. */
  readonly requested: string[] = [];
  /** The parts of the script, by name. */
  readonly parts: ReadonlyMap<string, Buffer> = viewerParts();
  readonly #answers = new Map<string, (request: http.IncomingMessage) => Answer>();
  readonly #options: SiteOptions;

  private constructor(url: string, options: SiteOptions) {
    this.url = url;
    this.#options = options;
    const tiles = options.tiles ?? `${url}/tiles/{z}/{x}/{y}.png`;
    this.set('/viewer.js', { type: 'text/javascript', body: viewerScript(tiles) });
    for (const [name, served] of this.parts) {
      const body = served.includes('DOMPurify') ? (options.details ?? served) : served;
      this.set(`/viewer/${name}`, { type: 'text/javascript', body });
    }
    this.set('/page.css', { type: 'text/css', body: 'html,body,main,mapwright-map{margin:0;height:100%}p{margin:0}' });
  }

  static async open(t: Test, options: SiteOptions = {}): Promise<Site> {
    let site: Site | undefined;
    const server = http.createServer((req, res) => {
      const path = new URL(req.url ?? '', 'http://site').pathname;
      site?.requested.push(path);
      const { status = 200, type = 'application/json', headers = {}, body = '' } = site?.find(path, req) ?? { status: 404 };
      res.writeHead(status, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*', ...headers }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    site = new Site(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
    return site;
  }

  find(path: string, req: http.IncomingMessage): Answer {
    const answer = this.#answers.get(path);
    if (answer !== undefined) return answer(req);
    return path.startsWith('/tiles/') ? { type: 'image/png', body: tile } : { status: 404, body: '{}' };
  }

  set(path: string, answer: Answer | ((request: http.IncomingMessage) => Answer)): void {
    this.#answers.set(path, typeof answer === 'function' ? answer : () => answer);
  }

  /** A page with this content, and its policy. */
  setPage(path: string, content: string, { title = 'A map' } = {}): void {
    const body =
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/page.css">
<script type="module" src="/viewer.js"></script></head><body><main style-less>${content}</main></body></html>`.replace(
        ' style-less',
        '',
      );
    const given = this.#options.policy ?? policy;
    this.set(path, {
      type: 'text/html; charset=utf-8',
      headers: {
        ...(given === '' ? {} : { 'Content-Security-Policy': given }),
        'Referrer-Policy': 'strict-origin-when-cross-origin',
      },
      body,
    });
  }

  /** Publishes a project below `/p/SLUG`, with a live result every `refresh` seconds; returns the path of the version. */
  publish(slug: string, project: unknown, version = 1, refresh = 0): string {
    const body = JSON.stringify(project);
    const name = `${createHash('sha256').update(body).digest('hex')}.json`;
    this.set(`/p/${slug}/${name}`, { headers: { 'Cache-Control': 'public, max-age=31536000, immutable' }, body });
    this.set(`/p/${slug}/map.json`, {
      headers: { 'Cache-Control': 'public, max-age=0, s-maxage=10' },
      body: JSON.stringify({ version, map: name, ...(refresh === 0 ? {} : { live: 'live.json', refresh }) }),
    });
    return `/p/${slug}/${name}`;
  }

  /** Sets the live result of a published map, with a tag of its content. */
  setLive(slug: string, result: unknown): void {
    const body = JSON.stringify(result);
    const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    const headers = { 'Cache-Control': 'public, max-age=60', ETag: tag };
    this.set(`/p/${slug}/live.json`, ({ headers: { 'if-none-match': known } }) =>
      known === tag ? { status: 304, headers } : { headers, body },
    );
  }

  /** How often a path was requested. */
  countOf(path: string): number {
    return this.requested.filter((each) => each === path).length;
  }

  /** Publishes a project, and makes a page with it alone; returns the address of the page. */
  pageWith(project: unknown, attributes = '', slug = 'demo', refresh = 0): string {
    this.publish(slug, project, 1, refresh);
    this.setPage(`/p/${slug}`, `<mapwright-map src="/p/${slug}" ${attributes}></mapwright-map>`);
    return `${this.url}/p/${slug}`;
  }
}
