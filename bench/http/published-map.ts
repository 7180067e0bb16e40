/** A large published map, which compresses to a thousandth, and clients that do not accept gzip. */
import http from 'node:http';
import net from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { call, type Target } from '../lib/ask.ts';
import { rowOfOurs } from '../lib/rows.ts';
import type { Context, Row } from '../row.ts';
import { startProbed } from '../scale/probed.ts';
import { makeProject } from './world.ts';

const popups = 12;
/** The budget of the server, in MiB. */
const memoryMb = 512;
/** How long clients are waited for, in milliseconds: a server under attack may answer none. */
const answersMs = 10_000;

/** Publishes a map of one letter. Returns its path on the server. */
export async function publishMap(target: Target, popupBytes: number): Promise<string> {
  const { id } = await makeProject(target);
  const content = 'a'.repeat(popupBytes - 1000);
  for (let i = 0; i < popups; i++) await call(target, 'POST', `/projects/${id}/popups`, { content });
  const { slug } = await call<{ readonly slug: string }>(target, 'PUT', `/projects/${id}/publication`, {});
  const pointer = await new Promise<string>((resolve, reject) => {
    http
      .get(new URL(`/p/${slug}/map.json`, target.url), { agent: false }, (res) => res.once('data', resolve))
      .on('error', reject);
  });
  return `/p/${slug}/${(JSON.parse(pointer) as { readonly map: string }).map}`;
}

/** Memory of a server while clients ask for a large map and read nothing. */
export async function memoryOfStalled(context: Context, count: number, popupBytes: number): Promise<Row> {
  const mb: number[] = [];
  let before = 0;
  let served = 0;
  for (let round = 0; round < Math.min(context.rounds, 3); round++) {
    const server = await startProbed(context.program, { flags: ['--memory-mb', String(memoryMb)] });
    try {
      const path = await publishMap(server, popupBytes);
      before = (await server.vitals('collect')).rssBytes / 1e6;
      const clients = Array.from({ length: count }, () => stalled(server, path));
      await Promise.race([Promise.all(clients.map(({ status }) => status)), setTimeout(answersMs, undefined, { ref: false })]);
      mb.push((await server.vitals()).rssBytes / 1e6);
      served = clients.filter(({ answered }) => answered() === '200').length;
      for (const { socket } of clients) socket.destroy();
    } finally {
      await server.stop();
    }
  }
  const what = `resident memory while ${count} connections read nothing of a large published map`;
  const note = `--memory-mb ${memoryMb}; ${before.toFixed(0)} MB before; ${served} × 200, the others 503 or no response yet`;
  return rowOfOurs(what, 'MB', mb, note, { atMost: memoryMb });
}

function stalled({ url }: Target, path: string) {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  let answer = '';
  const status = new Promise<void>((resolve) => {
    socket.once('data', (head: Buffer) => {
      socket.pause();
      answer = head.toString('latin1', 9, 12);
      resolve();
    });
    socket.once('close', () => resolve());
  });
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return { socket, status, answered: () => answer };
}
