/** GET of one object by `server.fetch` in the program itself, beside a request on a connection of the same program. */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as embedding from '../../src/index.ts';
import { compare } from '../lib/turns.ts';
import type { Bench, Context, Row } from '../row.ts';

const silent = { info() {}, warn() {}, error() {} };

/** How often `ask` resolves in a second, one after the other. */
async function perSecond(seconds: number, ask: () => Promise<string>, expected: string): Promise<number> {
  const started = performance.now();
  let count = 0;
  for (; performance.now() - started < seconds * 1000; count++) assert.equal(await ask(), expected);
  return (count * 1000) / (performance.now() - started);
}

async function run(context: Context): Promise<Row[]> {
  const entry = pathToFileURL(path.join(context.program, 'src', 'index.js')).href;
  const { createServer }: typeof embedding = await import(entry);
  const server = await createServer({ inMemory: true, log: silent });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    // A commit before `fetch` has nothing to measure.
    if (server.fetch === undefined) return [];
    const { key } = await server.createKey('bench');
    const { port } = await server.listen(0);
    const client = server.client({ account: 'bench' });
    const { id, artboards } = await client.post('/projects', { body: { artboards: [{ objects: [{ type: 'spot' }] }] } });
    const [artboard] = artboards;
    const target = `/api/v1/projects/${id}/artboards/${artboard?.id}/objects/${artboard?.objects[0]?.id}`;
    const inProcess = async () =>
      await (await server.fetch(new Request(`http://in-process${target}`), { account: 'bench' })).text();
    const headers = { authorization: `Bearer ${key}` };
    const overHttp = () =>
      new Promise<string>((resolve, reject) => {
        const req = request({ host: '127.0.0.1', port, path: target, headers, agent }, (res) => {
          let text = '';
          res.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          res.on('end', () => resolve(text)).on('error', reject);
        });
        req.on('error', reject).end();
      });
    const expected = await overHttp();
    const side = (name: string, ask: () => Promise<string>) => ({
      name,
      measure: (seconds: number) => perSecond(seconds, ask, expected),
    });
    return await compare(context, {
      unit: '/s',
      what: 'GET one object in the process',
      ours: side('fetch', inProcess),
      others: [{ ...side('node:http', overHttp), what: 'GET one object in the process / on a connection' }],
    });
  } finally {
    agent.destroy();
    await server.close();
  }
}

export const inProcess: Bench = {
  name: 'in-process',
  about: 'GET of one object by server.fetch, beside one connection of the same program',
  run,
};
