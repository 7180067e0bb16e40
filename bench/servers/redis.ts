/** redis-server that syncs its log before each answer: not the same work, but the acknowledgements that a disk allows without much other work. */
import net from 'node:net';
import { installed, output, removeFolder, start, temporaryFolder } from '../lib/child.ts';
import { onServerCore } from '../lib/pin.ts';

/** Keys that are set, drawn at random. */
const keys = 1_000_000;
/** Commands of the first measurement, which says how many the next ones take. */
const commandsFirst = 1000;

/** Why it cannot run here. */
export function redisMissing(): string | undefined {
  const missing = ['redis-server', 'redis-benchmark', 'redis-cli'].filter((name) => !installed(name));
  return missing.length === 0 ? undefined : `${missing.join(', ')} not installed (Debian: apt install redis)`;
}

export interface Redis {
  /** SETs of so many bytes per second, each on the disk before it is answered. Rejects when fewer were carried out than answered. */
  set(connections: number, bytes: number, seconds: number): Promise<number>;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<Redis> {
  const folder = temporaryFolder();
  const port = String(await freePort());
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '', '--dir', folder];
  const command = ['redis-server', '--port', port, '--bind', '127.0.0.1', ...durable];
  const { process: running } = await start(onServerCore(command), /Ready to accept connections/);
  let perSecond = 0;
  const run = async (connections: number, bytes: number, commands: number): Promise<number> => {
    const before = await callsOfSet(port);
    const load = ['-p', port, '-c', String(connections), '-n', String(commands), '-d', String(bytes), '-r', String(keys)];
    const printed = await output(['redis-benchmark', ...load, '-t', 'set', '--csv']);
    const rate = Number(/^"SET","([\d.]+)"/m.exec(printed)?.[1]);
    if (!(rate > 0)) throw new Error(`redis-benchmark printed something else:\n${printed}`);
    const carriedOut = (await callsOfSet(port)) - before;
    if (carriedOut < commands) throw new Error(`redis-server carried out ${carriedOut} SETs of ${commands}`);
    return rate;
  };
  return {
    async set(connections, bytes, seconds) {
      if (perSecond === 0) perSecond = await run(connections, bytes, commandsFirst);
      perSecond = await run(connections, bytes, Math.max(connections, Math.ceil(perSecond * seconds)));
      return perSecond;
    },
    async stop() {
      await running.stop();
      removeFolder(folder);
    },
  };
}

/** SETs that it has carried out since it was started. */
async function callsOfSet(port: string): Promise<number> {
  const stats = await output(['redis-cli', '-p', port, 'info', 'commandstats']);
  return Number(/cmdstat_set:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

/** A port that nobody listens on at the moment: redis-server takes none of its own choice. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
