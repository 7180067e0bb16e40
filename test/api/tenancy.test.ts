// tier: normal
/**
 * No request of account A, whatever identifiers of B it carries anywhere, gets an answer that differs from the one for identifiers that
 * do not exist, or changes B's bytes. The same holds for a key of one project and the other projects of its account.
 * A failure prints the seed and the path that replay it: SEED=<seed> MAPWRIGHT_PATH=<path>.
 */
import fs from 'node:fs';
import t, { type Test } from 'tap';
import { differences, everything } from '../support/everything.ts';
import fc from '../support/fast-check.ts';
import { Mapwright } from '../support/mapwright.ts';
import { temporaryFolder } from '../support/process.ts';
import { seed, sized } from '../support/tier.ts';
import { anyPlan, ghostsOf, type Plan, type Seen, Side, seenBy } from './foreign.ts';

t.setTimeout(600_000);

/** Stands in everything that the asker may not see. */
const secret = 'not-for-your-eyes';
const runs = Number(process.env['TENANCY_RUNS'] ?? sized({ sample: 1, all: 8 }));
const plansPerRun = 100;

/** An account's worth of everything, with `text` all over it. */
async function fill(mapwright: Mapwright, key: string, text: string): Promise<string> {
  const popups = [1, 2, 3].map((i) => ({ title: `${text} ${i}`, content: text }));
  const body = {
    name: text,
    settings: { [text]: text },
    artboards: [
      {
        name: text,
        objects: [
          { type: 'spot', name: text },
          { type: 'poly', name: text },
        ],
      },
      { name: text },
    ],
    popups,
    data_sources: [{ name: text, url: text }, {}],
    variables: [{ name: text }, {}],
    actions: [{ name: text }, {}],
  };
  return (await mapwright.post('/projects', body, { key })).shown.id;
}

/** Cursors as the lists of a key give them out. */
async function cursorsOf(mapwright: Mapwright, key: string): Promise<string[]> {
  const links: string[] = [];
  for (const route of (await everything((at) => mapwright.get(at, { key }))).keys()) {
    if (route.includes('?')) continue;
    const { link } = (await mapwright.get(`${route}?limit=1`, { key })).headers;
    if (link !== undefined) links.push(String(link));
  }
  return links.map((link) => /cursor=([\w-]+)/.exec(link)?.[1] as string);
}

interface Case {
  readonly data: string;
  readonly key: string;
  readonly own: Seen;
  readonly foreign: Seen;
  readonly cursors: readonly string[];
  /** Sees what must not change. */
  readonly watcher: string;
  /** Which of what the watcher sees is not the asker's. */
  readonly concerns: (route: string) => boolean;
}

/** A folder with A and B in it, and keys of A of every kind. */
async function world(t: Test) {
  const mapwright = new Mapwright(temporaryFolder(t), {});
  await mapwright.start();
  const [a, b] = [await mapwright.newKey('ann'), await mapwright.newKey('bob')];
  for (const text of ['one', 'two']) await fill(mapwright, a, text);
  for (let i = 0; i < 3; i++) await fill(mapwright, b, secret);
  const [own, foreign] = [await seenBy(mapwright, a), await seenBy(mapwright, b)];
  const cursors = await cursorsOf(mapwright, b);
  // The same within one account: a key for two of its projects, and two that it is not for.
  const c = await mapwright.newKey('cid');
  const mine = [await fill(mapwright, c, 'mine'), await fill(mapwright, c, 'mine too')];
  const narrow = (await mapwright.server.createKey('cid', { projects: mine })).key;
  const ownNarrow = await seenBy(mapwright, narrow);
  const beside = [await fill(mapwright, c, secret), await fill(mapwright, c, secret)];
  const foreignNarrow = await seenBy(mapwright, c, mine);
  const cursorsNarrow = await cursorsOf(mapwright, c);
  const reader = (await mapwright.server.createKey('ann', { readOnly: true })).key;
  await mapwright.close();
  const { data } = mapwright;
  const other = { data, own, foreign, cursors, watcher: b, concerns: () => true };
  return {
    'another account': { ...other, key: a },
    'another account, with a key for reading': { ...other, key: reader },
    'other projects of the account, with a key for two': {
      data,
      key: narrow,
      own: ownNarrow,
      foreign: foreignNarrow,
      cursors: cursorsNarrow,
      watcher: c,
      concerns: (route: string) => beside.some((id) => route.includes(id)),
    },
  } satisfies Record<string, Case>;
}

/** A server on a copy of a folder, whose clock stands still: what is made in two of them differs by its identifiers alone. */
async function copyOf(t: Test, data: string): Promise<Mapwright> {
  const mapwright = new Mapwright(temporaryFolder(t), { clock: () => Date.UTC(2030, 0, 1), auditLog: false });
  fs.cpSync(data, mapwright.data, { recursive: true, filter: (file) => !file.endsWith('.sock') });
  await mapwright.start();
  return mapwright;
}

async function watched({ watcher, concerns }: Case, mapwright: Mapwright): Promise<Map<string, string>> {
  const seen = await everything((route) => mapwright.get(route, { key: watcher }));
  return new Map([...seen].filter(([route]) => concerns(route)));
}

const counts = new Map<number, number>();
let compared = 0;

/** Throws at the first request whose responses in the two worlds differ. */
async function indistinguishable(t: Test, one: Case, plans: readonly Plan[]): Promise<void> {
  const [real, ghostly] = [await copyOf(t, one.data), await copyOf(t, one.data)];
  try {
    // An account's own identifier is no secret to a key of it.
    const ghosts = ghostsOf(one.foreign, one.own.ids['account'] ?? []);
    const before = await watched(one, real);
    const sides = [
      new Side(real, one.key, one.own, one.foreign, one.cursors),
      new Side(ghostly, one.key, one.own, ghosts, one.cursors),
    ] as const;
    for (const plan of plans) {
      const [inReal, inGhostly] = [await sides[0].run(plan), await sides[1].run(plan)];
      const { status, text } = inReal.answer;
      counts.set(status, (counts.get(status) ?? 0) + 1);
      compared++;
      if (inReal.shown !== inGhostly.shown)
        throw new Error(
          `${inReal.sent}\n${inReal.shown}\nand with identifiers that do not exist\n${inGhostly.sent}\n${inGhostly.shown}`,
        );
      if (text.includes(secret)) throw new Error(`${inReal.sent}\nshows what is not the asker's: ${text}`);
      if (status >= 500) throw new Error(`${inReal.sent}\n${inReal.shown}`);
    }
    const changed = differences(before, await watched(one, real));
    if (changed.length > 0) throw new Error(`changed: ${changed.join(', ')}\n${plans.length} requests`);
  } finally {
    await Promise.all([real.close(), ghostly.close()]);
  }
}

t.test('foreign and missing resources are indistinguishable by any request, and stay unchanged', async (t) => {
  const replay = process.env['MAPWRIGHT_PATH'];
  t.comment(`SEED=${seed}`);
  const cases = await world(t);
  for (const [what, one] of Object.entries(cases)) {
    counts.clear();
    const share = one.key === cases['another account'].key ? runs : Math.ceil(runs / 3);
    const from = compared;
    await fc.assert(
      fc.asyncProperty(fc.array(anyPlan, { minLength: plansPerRun, maxLength: plansPerRun, size: 'max' }), (plans) =>
        indistinguishable(t, one, plans),
      ),
      {
        seed,
        numRuns: share,
        endOnFailure: process.env['TENANCY_SHRINK'] === undefined,
        ...(replay === undefined ? {} : { path: replay }),
      },
    );
    const statuses = [...counts].sort(([x], [y]) => x - y).map(([status, count]) => `${count} with ${status}`);
    t.comment(`${what}: ${compared - from} requests, ${statuses.join(', ')}`);
    const count = (...of: number[]) => of.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);
    // A single run with a key for reading has few: most of its requests write.
    t.ok(count(200) > (share - 1) * 2 && count(403, 404) > share * 10, `${what}: many did something, and many came to nothing`);
  }
  t.comment(`${compared} requests, each in two worlds`);
  t.ok(compared >= Math.min(2000, runs * plansPerRun), `${compared} requests were compared`);
});
