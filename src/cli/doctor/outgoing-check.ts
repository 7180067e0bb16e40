/** Checks whether this machine lets a server fetch data sources: it opens a connection to the host of the map tiles, and sends nothing. */
import net from 'node:net';
import { tileSourcesOf } from '../../api/pages/map-tiles.ts';
import { type Check, type CheckFinding, ok, warn } from './check.ts';

/** Time limit of the connection, in milliseconds. */
const connectMs = 3000;

export const outgoingCheck: Check = {
  name: 'outgoing',
  async run({ live, tiles }): Promise<CheckFinding> {
    if (!live) return ok('--no-live: nothing is fetched');
    const [{ url }] = tileSourcesOf(tiles);
    if (!URL.canParse(url)) return ok('not tried: --tiles names no host');
    const { hostname, port, protocol } = new URL(url);
    const number = Number(port) || (protocol === 'http:' ? 80 : 443);
    const problem = await connectionProblem(hostname.replaceAll(/^\[|\]$/g, ''), number);
    if (problem === undefined) return ok(`connections to ${hostname}:${number} work`);
    return warn(
      `no connection to ${hostname}:${number}: ${problem}`,
      'Live maps cannot fetch data sources on the internet: let this machine make outgoing connections, or push responses. Hosts of your own network need --data-hosts.',
    );
  },
};

function connectionProblem(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: connectMs });
    const end = (problem: string | undefined): void => {
      socket.destroy();
      resolve(problem);
    };
    socket.once('connect', () => end(undefined));
    socket.once('timeout', () => end(`no answer within ${connectMs / 1000} s`));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
