// tier: normal, process: own
/** Signing in to the console of a cluster, invitations and sessions: through any node, also after a hand-over. */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { run, temporaryFolder } from '../support/process.ts';
import { ask, SignedIn } from '../support/signed-in.ts';
import { test } from '../support/test.ts';
import { newCluster, startNode } from './support/local-nodes.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';

/**
 * Nodes hand over without waiting for the lease. A short one ends if this process, which has all the nodes, stalls on a busy machine: then the
 * former owner may own again, and a test that waits for the next one would wait forever.
 */
const options = { leaseMs: 60_000 };

let pair: Postgres;

t.before(async () => {
  pair = await startPostgres(t);
});

const portOf = (url: string): { port: number } => ({ port: Number(new URL(url).port) });

/** The same browser, which reaches another node. */
const through = (browser: SignedIn, url: string): SignedIn =>
  Object.assign(new SignedIn(portOf(url)), { cookie: browser.cookie, secret: browser.secret });

const statusOf = async (browser: SignedIn, url: string): Promise<number> =>
  (await through(browser, url).ask('GET', '/console/session')).status;

/** The address of an invitation that a browser makes through a node. */
async function inviteThrough(browser: SignedIn, url: string, name: string): Promise<string> {
  const { status, json } = await through(browser, url).ask('POST', '/console/people', { name, role: 'editor' });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(json)}`);
  return json.path;
}

t.test('console, invitations and sessions work through any node, before and after a hand-over', async (t) => {
  const folder = temporaryFolder(t);
  const database = await newCluster(t, pair);
  const a = await startNode(t, database.text, path.join(folder, 'a'), options);
  await (await a.owned()).createKey('acme');
  const b = await startNode(t, database.text, path.join(folder, 'b'), options);
  const newCode = async (name: string): Promise<string> => {
    const { code, stdout, stderr } = await run(['console', '--data', path.join(folder, name), '--json']);
    if (code !== 0) throw new Error(stderr);
    const { url } = JSON.parse(stdout) as { url: string };
    t.ok(url.startsWith(`${a.url}/console#code=`), 'the address of the owner');
    return url.slice(url.indexOf('=') + 1);
  };
  const code = await newCode('b');
  const owner = new SignedIn(portOf(b.url));
  t.equal((await owner.enter(code)).status, 200, 'through a node that follows');
  for (const { url } of [a, b]) {
    t.match((await through(owner, url).ask('GET', '/console/session')).json, { account: 'acme', person: { role: 'owner' } });
    t.match((await through(owner, url).ask('GET', '/v1/me')).json, { person: { name: 'owner' } });
    t.equal((await new SignedIn(portOf(url)).enter(code)).status, 401, 'a code works once');
    const page = await fetch(`${url}/console`);
    t.match([page.status, page.headers.get('content-security-policy')], [200, /require-trusted-types-for/]);
  }
  t.equal((await ask(portOf(b.url), 'GET', '/v1/me', { headers: { 'mapwright-session': owner.secret } })).status, 401);
  const twice = await inviteThrough(owner, b.url, 'Twice');
  const statuses = await Promise.all([a, b, a, b].map(async ({ url }) => (await new SignedIn(portOf(url)).enter(twice)).status));
  t.strictSame(statuses.sort(), [200, 401, 401, 401], 'one invitation at several nodes');
  const [kept, removed] = [await inviteThrough(owner, a.url, 'Kept'), await inviteThrough(owner, a.url, 'Removed')];
  const people = (await through(owner, b.url).ask('GET', '/console/people')).json as { id: string; name: string }[];
  const { id } = people.find(({ name }) => name === 'Removed') as { id: string };
  t.equal((await through(owner, b.url).ask('DELETE', `/console/people/${id}`)).status, 204);
  t.equal((await run(['cluster', 'release', '--cluster', database.text])).code, 0);
  await b.owned();
  while (a.node.role !== 'following') await delay(20);
  const guest = new SignedIn(portOf(a.url));
  t.equal((await guest.enter(kept)).status, 200, 'the next owner knows the invitations');
  t.equal((await new SignedIn(portOf(a.url)).enter(removed)).status, 401);
  t.equal((await new SignedIn(portOf(b.url)).enter(kept)).status, 401, 'once, wherever');
  for (const { url } of [a, b]) {
    t.strictSame([await statusOf(owner, url), await statusOf(guest, url)], [200, 200]);
    t.equal((await through(owner, url).ask('GET', '/console/sessions?all=true')).json.length, 3);
  }
  t.equal((await through(owner, a.url).ask('DELETE', '/console/session')).status, 204);
  for (const { url } of [a, b])
    t.strictSame([await statusOf(owner, url), await statusOf(guest, url)], [401, 200], 'an invitation outlives its maker');
});

test.all('a sign-in code works through any node of a cluster with shards', async (t) => {
  const folder = temporaryFolder(t);
  const database = await newCluster(t, pair, 2);
  const nodes = await Promise.all(['a', 'b', 'c'].map((name) => startNode(t, database.text, path.join(folder, name), options)));
  while (new Set(nodes.map(({ node }) => node.shard)).size < 3) await delay(20);
  const ends = ['--data', path.join(folder, 'a')];
  // New accounts go to the shard with the fewest bytes.
  for (const name of ['one', 'two', 'three']) t.equal((await run(['keys', 'create', name, ...ends])).code, 0);
  const shards = new Set<string>();
  for (const name of ['one', 'two', 'three']) {
    const { stdout } = await run(['console', '--account', name, ...ends, '--json']);
    const { url } = JSON.parse(stdout) as { url: string };
    const code = url.slice(url.indexOf('=') + 1);
    shards.add(code.charAt(0));
    const node = nodes[shards.size % 3] as (typeof nodes)[0];
    const browser = new SignedIn(portOf(node.url));
    t.equal((await browser.enter(code)).status, 200, name);
    t.equal(browser.secret.charAt(0), code.charAt(0), 'a session names its shard');
    for (const { url } of nodes) t.match((await through(browser, url).ask('GET', '/console/session')).json, { account: name });
    const invitation = await inviteThrough(browser, node.url, 'Guest');
    t.equal(
      (await new SignedIn(portOf((nodes[1] as (typeof nodes)[0]).url)).enter(invitation)).status,
      200,
      'an invitation, too',
    );
  }
  t.same(shards, new Set(['0', '1']), 'accounts of both shards');
});
