/**
 * A project with many pictures: what the server holds in memory while they are uploaded and read, and after a restart; and the time of a
 * restart, beside one on a folder without pictures.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { upload } from '../http/files.ts';
import { makeProject } from '../http/world.ts';
import { call } from '../lib/ask.ts';
import { removeFolder, temporaryFolder } from '../lib/child.ts';
import { rowOf, rowOfOurs, said } from '../lib/rows.ts';
import type { Bench, Context, Row } from '../row.ts';
import { type Ours, startOurs } from '../servers/ours.ts';
import { flat } from './restart.ts';

const pictures = { full: 500, tiny: 4 };
const bytesEach = { full: 5 * 1024 * 1024, tiny: 1000 };
/** Clients that upload or read at the same time. */
const clients = 4;
const goalMb = 200;
/** Time between two looks at the memory, in milliseconds. */
const everyMs = 20;

async function run(context: Context): Promise<Row[]> {
  const size = context.tiny ? 'tiny' : 'full';
  const [without, folder] = [temporaryFolder(), temporaryFolder()];
  try {
    const server = await startOurs(context.program, { data: { folder: without, key: '' } });
    await server.stop();
    const { key, uploading, reading } = await filled(context, folder, pictures[size], bytesEach[size]);
    const times = { with: [] as number[], without: [] as number[] };
    const restarted: number[] = [];
    for (let round = 0; round < context.rounds; round++) {
      times.without.push((await restart(context, { folder: without, key: '' })).ms);
      const { ms, mb } = await restart(context, { folder, key });
      times.with.push(ms);
      restarted.push(mb);
    }
    const note = `${pictures[size]} pictures of ${(bytesEach[size] / 1024 / 1024).toPrecision(2)} MiB in one project, ${clients} clients`;
    const mb = (what: string, values: readonly number[]): Row =>
      rowOfOurs(`greatest resident memory ${what}`, 'MB', values, note, { atMost: goalMb });
    const name = 'restart with many pictures';
    const rows = [
      mb('while pictures are uploaded', [uploading]),
      mb('while they are read', [reading]),
      mb('after a restart with them', restarted),
      context.alone
        ? rowOfOurs(name, 'ms', times.with, note)
        : rowOf(`${name} / without`, 'ms', times.with, { name: 'without', results: times.without }, note, flat),
    ];
    for (const row of rows) context.say(said(row));
    return rows;
  } finally {
    for (const one of [without, folder]) removeFolder(one);
  }
}

/** Uploads pictures into a new folder, and reads each of them. Greatest resident memory of both, in MB. */
async function filled({ program }: Context, folder: string, count: number, bytes: number) {
  const server = await startOurs(program, { data: { folder } });
  try {
    const { id } = await makeProject(server);
    const urls: string[] = [];
    const uploading = await greatestMb(server, () =>
      sharedOut(count, async (i) => {
        urls[i] = await upload(server, id, png(bytes, i));
      }),
    );
    const reading = await greatestMb(server, () =>
      sharedOut(count, async (i) => {
        const response = await fetch(new URL(urls[i] as string, server.url));
        assert.equal((await response.arrayBuffer()).byteLength, bytes);
      }),
    );
    return { key: server.key, uploading, reading };
  } finally {
    await server.stop();
  }
}

/** A PNG of so many bytes, which differ for each seed; its pixels cannot be decoded. */
function png(bytes: number, seed: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
    const content = Buffer.concat([Buffer.from(type), data]);
    length.writeUInt32BE(data.length);
    crc.writeUInt32BE(crc32(content));
    return Buffer.concat([length, content, crc]);
  };
  const header = Buffer.from([0, 0, 16, 0, 0, 0, 16, 0, 8, 2, 0, 0, 0]);
  const begin = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header)]);
  const end = chunk('IEND', Buffer.alloc(0));
  const pixels = Buffer.alloc(bytes - begin.length - end.length - 12, `${seed} `);
  return Buffer.concat([begin, chunk('IDAT', pixels), end]);
}

async function restart({ program }: Context, data: { readonly folder: string; readonly key: string }) {
  const began = performance.now();
  const server = await startOurs(program, { data });
  try {
    await call({ url: new URL(server.url).origin, key: data.key }, 'GET', '/readyz');
    const ms = performance.now() - began;
    // References are compared with the blobs once the server is ready.
    return { ms, mb: await greatestMb(server, () => setTimeout(1000)) };
  } finally {
    await server.stop();
  }
}

async function sharedOut(count: number, each: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const client = async () => {
    while (next < count) await each(next++);
  };
  await Promise.all(Array.from({ length: clients }, client));
}

async function greatestMb({ pid }: Ours, work: () => Promise<unknown>): Promise<number> {
  let greatest = 0;
  const look = () => {
    const [, kb = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    greatest = Math.max(greatest, (Number(kb) * 1024) / 1e6);
  };
  const timer = setInterval(look, everyMs);
  try {
    await work();
    look();
    return greatest;
  } finally {
    clearInterval(timer);
  }
}

export const manyPictures: Bench = {
  name: 'many-pictures',
  about: 'memory and restart of a server with 500 pictures of 5 MiB in one project; Linux only, 3 GB of disk',
  onDemand: true,
  run,
};
