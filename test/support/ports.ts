/** Ports on loopback that stay free for a server that is restarted. */

import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';

const lowest = 10_240;

/** The first port that the system may give to others; a server that is down for a moment would lose its port to one of them. */
function firstEphemeral(): number {
  try {
    return Number(fs.readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s/)[0]);
  } catch {
    return 49_152;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A port on which nothing listens. Two processes may draw the same one: a server that cannot listen draws again. */
export async function freePort(): Promise<number> {
  const end = Math.max(firstEphemeral(), lowest + 10_000);
  for (;;) {
    const port = randomInt(lowest, end);
    if (await isFree(port)) return port;
  }
}
