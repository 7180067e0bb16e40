/**
 * `mapwright view`: the projects of a running server as pictures in a browser, which follow every change.
 *
 * The page asks this process and this process asks the server, so the browser never has the key. What it hands on is for reading only, to
 * whoever knows the address: that has a secret in it, since other people on the machine reach its loopback addresses too.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { packageRoot } from '../lib/package.ts';
import { ApiClient, ApiError, clientOptions, needsKey } from './api-client.ts';
import { command } from './command.ts';
import { integerFrom, jsonOption } from './options.ts';
import { printJsonLine } from './stdout.ts';

interface Arguments {
  id: string | undefined;
  url: string;
  key: string;
  viewPort: number;
  json: boolean;
}

const options = {
  'view-port': {
    type: 'number',
    default: 0,
    defaultDescription: 'any free one',
    describe: 'Port of 127.0.0.1 for the page',
    coerce: integerFrom(0, 65_535, 'view-port'),
  },
  ...clientOptions,
  json: { ...jsonOption.json, describe: 'Print the address of the page as a line of JSON, for programs' },
} as const;

const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' } as const;
/** The page, and what it is made of. */
const files: Readonly<Record<string, keyof typeof types>> = { 'index.html': 'html', 'view.css': 'css', 'view.js': 'js' };

/** Scripts are the page's own; pictures may come from anywhere: backgrounds, the popups', and the tiles of OpenStreetMap. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Of every answer: no other page may have it as a part of its own, or be a window that this one opens into. */
const isolation = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** Headers of the server's answers that the page needs. */
const passedOn = ['content-type', 'etag', 'link'] as const;

export const viewCommand = command<Arguments>({
  command: 'view [id]',
  describe: 'Show the projects of a running server in a browser, and every change as it is made',
  positionals: { id: { type: 'string', describe: 'Project to begin with [default: the newest]' } },
  options,
  needs: needsKey,
  examples: [
    ['view', 'the newest project, and the way to all others'],
    ['view 01a1fff7-fa3d-72e0-8bdb-0004ecfb20bb --view-port 8072', 'one of them, on a port that stays the same'],
  ],
  async handler({ id, url, key, viewPort, json }) {
    const client = new ApiClient({ url, key });
    // A wrong address, key or project shows here, not on the page.
    const project = id === undefined ? '' : `/${encodeURIComponent(id)}`;
    (await client.ask('GET', `/projects${project}?fields=name${id === undefined ? '&limit=1' : ''}`)).resume();
    const page = await openPage(client, viewPort);
    const address = `${page}${id === undefined ? '' : `#${id}`}`;
    if (json) printJsonLine({ url: address });
    else process.stdout.write(`Open ${address} in a browser. Ctrl-C ends it.\n`);
  },
});

/** The page's address, once it is there. */
async function openPage(client: ApiClient, port: number): Promise<string> {
  const root = `/${randomBytes(12).toString('base64url')}/`;
  const server = http.createServer((req, res) => {
    for (const [name, value] of Object.entries(isolation)) res.setHeader(name, value);
    // Another site's name for this address would make its scripts the page's own.
    const here = req.headers.host === `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const path = here && req.method === 'GET' && req.url?.startsWith(root) === true ? req.url.slice(root.length) : undefined;
    // What goes up leaves the API.
    if (path?.startsWith('v1/') === true && !/(?:\.|%2e){2}/i.test(path)) void passOn(client, path.slice('v1'.length), res);
    else sendFile(res, path === '' || path?.startsWith('?') === true ? 'index.html' : (path ?? ''));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new Error(`Port ${port} is taken. Try another, or none: --view-port`) : error;
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${root}`;
}

function sendFile(res: ServerResponse, name: string): void {
  const type = Object.hasOwn(files, name) ? files[name] : undefined;
  if (type === undefined) {
    res.writeHead(404).end('There is nothing here. "npx mapwright view" printed the whole address.\n');
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

/** One GET for the page: the server's answer, or a problem that says why there is none. */
async function passOn(client: ApiClient, route: string, res: ServerResponse): Promise<void> {
  try {
    const answer = await client.ask('GET', route);
    for (const name of passedOn) if (answer.headers[name] !== undefined) res.setHeader(name, String(answer.headers[name]));
    res.writeHead(200, { 'Cache-Control': 'no-store' });
    // An event stream shows that it is there before it says anything.
    res.flushHeaders();
    pipeline(answer, res, () => undefined);
  } catch (error) {
    const missing = error instanceof ApiError && error.status === 404;
    res.writeHead(missing ? 404 : 502, { 'Content-Type': 'application/problem+json' });
    res.end(JSON.stringify({ detail: (error as Error).message }));
  }
}
