// tier: all, process: own
/**
 * The same clients against a real server over real sockets, which is killed and restarted: fewer histories, without simulation.
 *
 * Many collections are used concurrently, each with its own history, so that one kill tests all of them.
 */
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { ask } from '../support/client.ts';
import { must, serve, temporaryFolder } from '../support/process.ts';
import { Chance } from '../support/random.ts';
import { seed } from '../support/tier.ts';
import type { Ask, Clients } from './clients.ts';
import { clientsOf, projectBody } from './project-clients.ts';

const rounds = Number(process.env['LINEAR_ROUNDS'] ?? 3);
/** Collections in a round, and clients of each. */
const collections = 16;
const clientsEach = 3;
const killsPerRound = 3;

t.setTimeout(1000 * 60 * 60);

t.test(
  `histories of a killed server are linearizable: ${rounds} rounds of ${collections}, ${killsPerRound} kills each (seed ${seed})`,
  async (t) => {
    const random = new Chance(seed);
    const folder = temporaryFolder(t);
    const flags = ['--segment-mb', '1'];
    let server = await serve(t, folder, flags);
    let operations = 0;
    let unanswered = 0;
    for (let round = 0; round < rounds; round++) {
      const histories: Clients[] = [];
      for (let i = 0; i < collections; i++) {
        const made = await must(server, 'POST', '/projects', projectBody);
        histories.push(clientsOf(made, random));
      }
      for (let kill = 0; kill <= killsPerRound; kill++) {
        const agent = new http.Agent({ keepAlive: true });
        const { url, key } = server;
        const send: Ask = (method, path, body) => ({
          heard: ask({ url, key, agent }, method, `/v1${path}`, body).then(
            ({ status, headers, text }) => ({ status, link: headers['link'] as string | undefined, text }),
            () => undefined,
          ),
          abandon: () => undefined,
        });
        let over = false;
        // A few operations for each client: what is to be decided grows with those that overlap.
        const running = histories.flatMap((clients) =>
          Array.from({ length: clientsEach }, async (_, client) => {
            for (let left = 4; left > 0 && !over; left--) await clients.ask(client, send);
          }),
        );
        if (kill < killsPerRound) {
          await setTimeout(random.below(60));
          over = true;
          await server.end('SIGKILL');
          for (const clients of histories) clients.crash();
          server = await serve(t, folder, flags, key);
        }
        await Promise.all(running);
        agent.destroy();
      }
      for (const clients of histories) {
        const fault = clients.fault();
        if (fault !== undefined) {
          t.comment(fault);
          t.fail(`round ${round} (seed ${seed}): ${fault.split('\n', 1)}`);
          return;
        }
        operations += clients.history.length;
        unanswered += clients.history.filter(({ output }) => output === undefined).length;
      }
    }
    t.comment(
      `${rounds * collections} histories, ${rounds * killsPerRound} kills, ${operations} operations, ${unanswered} unanswered`,
    );
    t.ok(operations - unanswered > rounds * collections * 10, 'most of them were answered');
    t.equal((await server.end('SIGTERM')).code, 0);
  },
);
