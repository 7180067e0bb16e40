// tier: all, process: own
/** Batches with `id`, `before` and `to_artboard` in a cluster of three processes, of which the owner is killed. */
import t, { type Test } from 'tap';
import { type Followed, follow, lsnOf } from '../support/follower.ts';
import type { Mapwright, Shown } from '../support/mapwright.ts';
import { Mirror } from '../support/mirror.ts';
import { until } from '../support/until.ts';
import { ownerOf, type RunningCluster, send, startCluster } from './support/cluster.ts';
import type { ClusterNode } from './support/nodes.ts';

t.setTimeout(300_000);

type Json = Readonly<Record<string, unknown>>;
type Board = Shown & { readonly objects: readonly Shown[] };

let cluster: RunningCluster;
let at: string;
let boards: readonly [string, string];
let spots: readonly [string, string, string];
/** The id of the first event that a node gave, and the projects before it. */
let begun: { readonly id: string; readonly projects: string };

t.before(async () => {
  cluster = await startCluster(t);
  const objects = ['a', 'b', 'c'].map((name) => ({ type: 'spot', name }));
  const { text } = await must(cluster.nodes[0] as ClusterNode, 'POST', '/projects', {
    artboards: [{ objects }, {}],
    popups: [{ title: 'one' }, { title: 'two' }],
  });
  const made = JSON.parse(text) as Shown & { artboards: [Board, Board] };
  at = `/projects/${made.id}`;
  boards = [made.artboards[0].id, made.artboards[1].id];
  spots = made.artboards[0].objects.map(({ id }) => id) as [string, string, string];
  const feed = await (await followed(cluster.nodes[1] as ClusterNode)).begun();
  begun = { id: feed.id, projects: (await must(cluster.nodes[0] as ClusterNode, 'GET', '/projects')).text };
  feed.leave();
});

async function owner(): Promise<ClusterNode> {
  const node = await ownerOf(cluster);
  if (node === undefined) throw new Error('no node owns the data');
  return node;
}

const running = (): ClusterNode[] => cluster.nodes.filter((node) => node.isRunning);
const followers = async (): Promise<ClusterNode[]> => {
  const owns = await owner();
  return running().filter((node) => node !== owns);
};

const ask = (node: ClusterNode, method: string, path: string, body?: unknown) =>
  send(node, cluster.key, method, `/v1${path}`, body);

async function must(node: ClusterNode, method: string, path: string, body?: unknown) {
  const answer = await ask(node, method, path, body);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

const followed = ({ port }: ClusterNode, lastEventId?: string): Promise<Followed> =>
  follow({ port, key: cluster.key } as Mapwright, '/events', lastEventId === undefined ? {} : { lastEventId });

let chosen = 0;
/** An identifier of a client. @param aheadMs how far it is ahead of the clock */
function idAt(aheadMs = 0): string {
  const time = (Date.now() + aheadMs).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(++chosen).padStart(12, '0')}`;
}

/** A batch with all three members; what it makes has these identifiers. */
function batchOf(object: string, popup: string, [from, to] = boards, moved = spots[0]): Json {
  return {
    operations: [
      { method: 'POST', path: `/artboards/${to}/objects`, id: object, body: { type: 'spot', name: 'made' } },
      { method: 'PATCH', path: `/artboards/${from}/objects/${moved}`, to_artboard: to, before: object },
      { method: 'POST', path: '/popups', id: popup, before: null, body: { attachedTo: moved } },
      { method: 'PATCH', path: `/artboards/${to}`, before: from },
    ],
  };
}

/** The text of the project, which all nodes must show alike. */
async function shownByAll(t: Test): Promise<string> {
  const [first = '', ...others] = await Promise.all(running().map(async (node) => (await must(node, 'GET', at)).text));
  for (const text of others) t.equal(text, first, 'every node shows the same');
  return first;
}

const boardsIn = (text: string): Board[] => (JSON.parse(text) as { artboards: Board[] }).artboards;
/** Artboards and the objects on them, by identifier. */
const layout = (text: string): [board: string, objects: string[]][] =>
  boardsIn(text).map(({ id, objects }) => [id, objects.map((object) => object.id)]);

t.test('after a fail-over, reads and feeds have all of it, and identifiers follow those of clients', async (t) => {
  const killed = await owner();
  const [through] = (await followers()) as [ClusterNode];
  const ahead = idAt(290_000);
  const before = { method: 'PATCH', path: `/artboards/${boards[0]}/objects/${spots[2]}`, before: spots[1] };
  await must(through, 'POST', `${at}/batch`, { operations: [{ method: 'POST', path: '/popups', id: ahead, body: {} }, before] });
  const text = await shownByAll(t);
  await killed.kill();
  await until('another node owns the data', async () => (await ask(through, 'GET', at).catch(() => undefined))?.status === 200);
  t.not(await owner(), killed);
  t.equal(await shownByAll(t), text);

  const object = idAt();
  const batch = batchOf(object, idAt(), [boards[0], boards[1]], spots[1]);
  const answer = await must((await followers())[0] as ClusterNode, 'POST', `${at}/batch`, batch);
  const made = JSON.parse((await must(through, 'POST', `${at}/popups`, {})).text) as Shown;
  t.ok(made.id > ahead, `${made.id} follows ${ahead}`);
  const after = await shownByAll(t);
  t.match(layout(after)[0], [boards[1], Array]);
  for (const node of running()) {
    const mirror = new Mirror();
    mirror.projects = JSON.parse(begun.projects);
    const feed = await followed(node, begun.id);
    const names = new Set<string>();
    const last = lsnOf(String(answer.headers.etag).slice(1, -1)) + 1;
    for (let lsn = 0; lsn < last; ) {
      const record = await feed.next();
      for (const { name } of record.events) names.add(name);
      mirror.apply(record);
      lsn = lsnOf(record.id);
    }
    feed.leave();
    t.ok(names.has('object.moved') && names.has('object.placed') && names.has('artboard.placed'), [...names].join());
    t.equal(JSON.stringify(mirror.projects[0]), after, 'a replica that resumes has the same, across the fail-over');
  }
});
