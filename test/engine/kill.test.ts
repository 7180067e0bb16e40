/**
 * The real server, killed fifty times at moments of chance: among writes, while a snapshot is folded, while it recovers from the kill
 * before. Nothing acknowledged or shown is ever gone, nothing is half there.
 */
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { askServer } from '../../src/server/control.ts';
import { Command, must, type Served, serve, temporaryFolder } from '../support/process.ts';
import { type Connection, type Place, Writer } from './kill-writer.ts';

const kills = 50;
const flags = ['--segment-mb', '1', '--snapshot-mb', '1'];
const seed = Date.now() % 2 ** 31;
const random = randomFrom(seed);

t.setTimeout(180_000);

t.test(`killed ${kills} times, it has every acknowledged write (seed ${seed})`, async (t) => {
  const folder = temporaryFolder(t);
  const began = performance.now();
  let server = await serve(t, folder, flags);
  const startMs = performance.now() - began;
  const writers = await writersIn(server);
  const done = { amongWrites: 0, inFolds: 0, inRecovery: 0, folded: 0 };
  for (let killed = 0; killed < kills; ) {
    const agent = new http.Agent({ keepAlive: true });
    const connection: Connection = { url: server.url, key: server.key, agent };
    const found = await Promise.all(writers.map((writer) => writer.check(connection)));
    for (const problem of found) if (problem !== undefined) t.fail(problem);
    if (found.some((problem) => problem !== undefined)) return;

    const watched = writers[random(writers.length)] as Writer;
    const clients = [...writers.map((writer) => writer.run(connection)), watched.watch(connection)];
    await setTimeout(20 + random(250));
    let folding = false;
    if (random(2) === 0) {
      folding = true;
      const fold = askServer(folder, 'snapshot', {}).then(
        ({ report }) => {
          if (report !== undefined) done.folded++;
          folding = false;
        },
        () => undefined,
      );
      // Killed at some point of it, or soon after its end.
      await Promise.race(random(3) === 0 ? [fold] : [fold, setTimeout(random(700))]);
    }
    await server.end('SIGKILL');
    done[folding ? 'inFolds' : 'amongWrites']++;
    killed++;
    await Promise.all(clients);
    agent.destroy();

    while (killed < kills && random(3) === 0) {
      const restarting = new Command(['serve', '--data', folder, '--port', '0', ...flags]);
      // The program itself takes a good part of a start to load.
      await setTimeout(startMs * (0.3 + random(70) / 100));
      await restarting.end('SIGKILL');
      done.inRecovery++;
      killed++;
    }
    server = await serve(t, folder, flags, server.key);
  }
  const last = { url: server.url, key: server.key, agent: new http.Agent() };
  for (const writer of writers) {
    t.equal(await writer.check(last), undefined);
    t.strictSame(writer.problems, []);
    t.ok(writer.acknowledged > 0, 'it wrote something');
  }
  t.equal((await server.end('SIGTERM')).code, 0);
  t.comment(`${writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0)} acknowledged; kills: ${JSON.stringify(done)}`);
  t.ok(done.inFolds > 0 && done.inRecovery > 0 && done.folded > 0, 'folds and recoveries were hit as well');
});

/** Eight, on five projects: some share a project, some an artboard's project, two own whole projects. */
async function writersIn(server: Served): Promise<Writer[]> {
  const project = async () => must(server, 'POST', '/projects', { name: 'shared', artboards: [{}, {}] });
  const [one, two, three] = [await project(), await project(), await project()];
  const nothing = { body: () => ({}), text: ({ name }: { name: string }) => name };
  const collection = (id: string, name: string): Place => {
    return { route: `/v1/projects/${id}/${name}`, whole: { route: `/v1/projects/${id}`, name }, ...nothing };
  };
  const objects = (id: string, artboard: string): Place => {
    const route = `/v1/projects/${id}/artboards/${artboard}`;
    return { route: `${route}/objects`, whole: { route, name: 'objects' }, ...nothing, body: () => ({ type: 'spot' }) };
  };
  const projects: Place = {
    route: '/v1/projects',
    body: (tag) => ({ popups: ['a', 'b', 'c'].map((name) => ({ name: tag + name })) }),
    text: ({ name, popups }) => [name, ...popups.map((popup: { name: string }) => popup.name)].join(),
  };
  const places = [
    collection(one.id, 'popups'),
    collection(one.id, 'variables'),
    objects(two.id, two.artboards[0].id),
    objects(two.id, two.artboards[1].id),
    collection(three.id, 'popups'),
    objects(three.id, three.artboards[0].id),
    projects,
    projects,
  ];
  return places.map((place, i) => new Writer(`w${i}`, place, random));
}

/** The mulberry32 generator: whole numbers below a bound. */
function randomFrom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
