/** The control socket, from a client that may open it: every connection is answered once or closed, and the server goes on. */
import net from 'node:net';
import path from 'node:path';
import { createServer } from '../../../src/index.ts';
import { askServer } from '../../../src/server/admin/control-socket.ts';
import { pathsIn } from '../../../src/server/lifecycle/data-folder.ts';
import { recordingLog } from '../../support/engine.ts';
import { temporaryFolder } from '../../support/process.ts';
import { must, type Target } from '../target.ts';

export async function control(t: Parameters<typeof temporaryFolder>[0]): Promise<Target> {
  const data = path.join(temporaryFolder(t), 'data');
  const server = await createServer({ data, log: recordingLog().log, segmentBytes: 1024 * 1024 });
  t.teardown(() => server.close());
  const { id } = await server.createKey('ann');
  const seeds = [
    '{"verb":"keys.list","args":{}}\n',
    '{"verb":"keys.revoke","args":{"id":"nobody"}}\n',
    '{"verb":"keys.create","args":{"account":" x"}}\n',
    '{"verb":"keys.create","args":{"account":["x"]}}\n',
    '{"verb":"toString","args":null}\n',
    'null\n',
    '{"verb":"keys.create","args":{"account":"a","expires":{"toString":1}}}\n',
    '{"verb":"keys.rotate","args":{"id":[{"toString":1}],"overlap":7}}\n',
    '{"verb":"accounts.rename","args":{"name":{"toString":1},"newName":"x"}}\n',
    '{"verb":"accounts.delete","args":{"name":[1]}}\n',
    '{"verb":"keys.list"}',
    '{"verb":"keys.list","args":{}}\n'.repeat(3),
    `${'x'.repeat(70_000)}\n`,
  ];
  return {
    name: 'control',
    inputs: 4000,
    seeds: seeds.map((text) => Buffer.from(text)),
    words: [
      '\n',
      '{',
      '}',
      '"verb":',
      '"args":',
      '"keys.list"',
      '"keys.revoke"',
      '"id"',
      'null',
      '[]',
      '"__proto__"',
      '"constructor"',
    ],
    outcomes: ['answered', 'refused', 'closed'],
    async run(input) {
      const text = await send(pathsIn(data).socket, input);
      if (text === '') return 'closed';
      const lines = text.split('\n');
      must(lines.length === 2 && lines[1] === '', `more than one line: ${text.slice(0, 300)}`);
      const answer = JSON.parse(lines[0] as string) as { ok?: unknown; error?: unknown };
      if (answer.ok === true) return 'answered';
      must(answer.ok === false && typeof answer.error === 'string', `an answer that is none: ${text.slice(0, 300)}`);
      must(!/undefined|not a function|Cannot|destructure|\[object/.test(answer.error), `an empty error message: ${answer.error}`);
      return `refused: ${answer.error.replaceAll(/\d+|".*"|'.*'/g, '#').slice(0, 60)}`;
    },
    async close() {
      const keys = await askServer(data, 'keys.list', {});
      must(keys.find((key) => key.id === id)?.revoked === '', 'the key that nobody knew is gone');
    },
  };
}

/** Sends bytes and hangs up after them; what came back. */
function send(address: string, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = net.connect(address);
    socket.on('data', (part) => (text += part));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    socket.end(bytes);
  });
}
