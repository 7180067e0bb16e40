/**
 * `mapwright view`: shows the projects of a running server in a browser, and follows every change.
 *
 * The page sends requests to this process, which forwards them to the server; so the browser never gets the key. It forwards only reads, and
 * only for clients that know the address: the address contains a secret, because other users of the machine can reach loopback too.
 */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { viewerScript } from '../../api/pages/viewer-endpoint.ts';
import { packageRoot } from '../../lib/package.ts';
import { ApiClient, ApiError, clientOptions, needsKey } from '../api-client.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { integerFrom, jsonOption } from '../option-parsing.ts';
import { printJsonLine } from '../output/stdout.ts';

const options = {
  'view-port': {
    type: 'number',
    default: 0,
    defaultDescription: 'any free port',
    describe: 'Port of the page on 127.0.0.1',
    coerce: integerFrom(0, 65_535, 'view-port'),
  },
  ...clientOptions,
  json: { ...jsonOption.json, describe: 'Print the address of the page as a line of JSON, for programs' },
} as const;

const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' } as const;
/** The files of the page. */
const files: Readonly<Record<string, keyof typeof types>> = { 'index.html': 'html', 'view.css': 'css', 'view.js': 'js' };

/** Only own scripts. Images from anywhere: backgrounds, images of popups, and map tiles. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src * data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** The script that draws maps. The running server has chosen its map tiles. */
const viewerFile = 'viewer.js';
/** Time for the server to send it, in milliseconds. */
const viewerMs = 10_000;

/** Sent with every response: no other page may embed this one, or keep a reference to its window. */
const isolation = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** Response headers of the server that the page needs. */
const forwardedHeaders = ['content-type', 'etag', 'link'] as const;

export const viewCommand = command({
  ...commandOutlines.view,
  positionals: { id: { type: 'string', describe: 'Project to show first [default: the newest]' } },
  options,
  needs: needsKey,
  examples: [
    ['view', 'the newest project, with links to all others'],
    ['view 01a1fff7-fa3d-72e0-8bdb-0004ecfb20bb --view-port 8072', 'one project, on a fixed port'],
  ],
  async handler({ id, url, key, viewPort, json }) {
    const client = new ApiClient({ url, key });
    // Reports a wrong address, key or project here instead of on the page.
    const project = id === undefined ? '' : `/${encodeURIComponent(id)}`;
    (await client.ask('GET', `/projects${project}?fields=name${id === undefined ? '&limit=1' : ''}`)).resume();
    const page = await openPage(client, viewPort);
    const address = `${page}${id === undefined ? '' : `#${id}`}`;
    if (json) printJsonLine({ url: address });
    else process.stdout.write(`Open ${address} in a browser. Press Ctrl-C to stop.\n`);
  },
});

/** Starts the page and returns its address. */
async function openPage(client: ApiClient, port: number): Promise<string> {
  const root = `/${randomBytes(12).toString('base64url')}/`;
  const server = http.createServer((req, res) => {
    for (const [name, value] of Object.entries(isolation)) res.setHeader(name, value);
    // Protects against DNS rebinding: under another host name, scripts of another site would be same-origin.
    const isOwnHost = req.headers.host === `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const path = isOwnHost && req.method === 'GET' && req.url?.startsWith(root) === true ? req.url.slice(root.length) : undefined;
    // A path with `..` would leave the API.
    if (path?.startsWith('v1/') === true && !/(?:\.|%2e){2}/i.test(path)) void forward(client, path.slice('v1'.length), res);
    else if (path === viewerFile) void sendViewer(client, res);
    else sendFile(res, path === '' || path?.startsWith('?') === true ? 'index.html' : (path ?? ''));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new Error(`Port ${port} is in use. Set --view-port to another one, or leave it out.`)
      : error;
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${root}`;
}

function sendFile(res: ServerResponse, name: string): void {
  const type = Object.hasOwn(files, name) ? files[name] : undefined;
  if (type === undefined) {
    res.writeHead(404).end('Not found. Use the whole address that "npx mapwright view" printed.\n');
    return;
  }
  const headers = {
    'Content-Type': `${types[type]}; charset=utf-8`,
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  };
  res.writeHead(200, headers).end(fs.readFileSync(new URL(`data/view/${name}`, packageRoot())));
}

/** Sends the script of the server, or that of this package if the server is older. */
async function sendViewer(client: ApiClient, res: ServerResponse): Promise<void> {
  const url = `${client.url.replace(/(?:\/api)?\/v1$/, '')}/${viewerFile}`;
  const script = await fetch(url, { signal: AbortSignal.timeout(viewerMs) })
    .then((response) => (response.ok ? response.text() : undefined))
    .catch(() => undefined);
  res.writeHead(200, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' });
  res.end(script ?? viewerScript());
}

/** Forwards one GET of the page, and the response of the server, or a problem if there is none. */
async function forward(client: ApiClient, route: string, res: ServerResponse): Promise<void> {
  try {
    const response = await client.ask('GET', route);
    for (const name of forwardedHeaders)
      if (response.headers[name] !== undefined) res.setHeader(name, String(response.headers[name]));
    res.writeHead(200, { 'Cache-Control': 'no-store' });
    // An event stream must show that it is open before its first event.
    res.flushHeaders();
    pipeline(response, res, () => undefined);
  } catch (error) {
    const missing = error instanceof ApiError && error.status === 404;
    res.writeHead(missing ? 404 : 502, { 'Content-Type': 'application/problem+json' });
    res.end(JSON.stringify({ detail: (error as Error).message }));
  }
}
