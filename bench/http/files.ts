/** The bytes of a picture of a project, beside a bare node:http server that streams the same file. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { ask, type Request, type Target } from '../lib/ask.ts';
import { start } from '../lib/child.ts';
import { onServerCore } from '../lib/pin.ts';
import { compare } from '../lib/turns.ts';
import { throughput } from '../load/throughput.ts';
import type { Bench, Context, Row } from '../row.ts';
import { type Api, withServers } from '../servers/api.ts';
import { ownHeaders } from '../servers/floor.ts';
import { startOurs } from '../servers/ours.ts';
import { makeProject } from './world.ts';

const connections = 16;
const sizes = { 'a picture of 50 kB': 50_000, 'a picture of 5 MiB': 5 * 1024 * 1024 };
const tinyBytes = 1000;

/** An SVG of so many bytes. */
const picture = (bytes: number): Buffer => {
  const [head, tail] = ['<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><!--', '--></svg>'];
  return Buffer.from(head + 'x'.repeat(bytes - head.length - tail.length) + tail);
};

async function startFileFloor(ours: Target, request: Request, file: string): Promise<Api> {
  const { status, rawHeaders } = await ask(ours, request);
  assert.equal(status, 200);
  const command = [process.execPath, path.join(import.meta.dirname, '..', 'servers', 'file-floor-main.js')];
  const input = JSON.stringify({ file, headers: ownHeaders(rawHeaders) });
  const { process: running, match } = await start(onServerCore(command), /^Listening on (\S+)$/m, { input });
  return { name: 'bare node:http', url: `${match[1]}/f`, key: ours.key, stop: () => running.stop() };
}

/** Uploads a picture. Returns its path below the root of the server. */
export async function upload({ url, key }: Target, project: string, bytes: Buffer): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const options = { method: 'POST', headers, body: new Uint8Array(bytes) };
  const response = await fetch(`${url}/projects/${project}/files?name=picture`, options);
  assert.equal(response.status, 200);
  return ((await response.json()) as { readonly url: string }).url;
}

function run(context: Context): Promise<Row[]> {
  return withServers([() => startOurs(context.program)], async (ours) => {
    const { id } = await makeProject(ours);
    const rows: Row[] = [];
    for (const [what, size] of Object.entries(sizes)) {
      const bytes = picture(context.tiny ? tinyBytes : size);
      const request: Request = { method: 'GET', path: (await upload(ours, id, bytes)).slice('/f'.length) };
      const target = { ...ours, url: `${new URL(ours.url).origin}/f` };
      const file = path.join(ours.folder, `bench-${size}.svg`);
      fs.writeFileSync(file, bytes);
      const side = (target: Api) => ({
        name: target.name,
        measure: async (seconds: number) =>
          ((await throughput({ target, requests: [request], connections, seconds })) * bytes.length) / 1e6,
      });
      const row = (floor: Api | undefined) =>
        compare(context, {
          ...{ unit: 'MB/s', what: `GET ${what}`, ours: side(target) },
          others: floor === undefined ? [] : [{ ...side(floor), what: `GET ${what} / bare node:http`, goal: { atLeast: 0.8 } }],
        });
      assert.ok((await ask(target, request)).body.equals(bytes), 'the picture has other bytes');
      rows.push(
        ...(context.alone ? await row(undefined) : await withServers([() => startFileFloor(target, request, file)], row)),
      );
    }
    return rows;
  });
}

export const pictures: Bench = { name: 'pictures', about: 'the bytes of a picture, beside a server that streams the file', run };
