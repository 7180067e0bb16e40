// tier: normal
/** A replica that reads everything once and then follows the feed, under random changes, restores, imports and kills. */
import { isDeepStrictEqual } from 'node:util';
import t, { type Test } from 'tap';
import { type Followed, follow, lsnOf } from '../../support/follower.ts';
import { type Mapwright, startMapwright } from '../../support/mapwright.ts';
import { Mirror } from '../../support/mirror.ts';
import { Chance } from '../../support/random.ts';
import { seed, sized, tier } from '../../support/tier.ts';
import { Changes, type Kind, kinds, type Project } from './changes.ts';

t.setTimeout(3_600_000);

/** How many changes are made, on average, before the server is killed. */
const changesPerKill = sized({ sample: 40, all: 200 });

class Replica {
  readonly #mapwright: Mapwright;
  readonly #mirror = new Mirror();
  #feed: Followed | undefined;
  /** The id of the last record that it has. */
  #id = '';

  constructor(mapwright: Mapwright) {
    this.#mapwright = mapwright;
  }

  get projects(): readonly Project[] {
    return this.#mirror.projects as unknown as readonly Project[];
  }

  async begin(): Promise<void> {
    this.#feed = await (await follow(this.#mapwright, '/events')).begun();
    this.#id = this.#feed.id;
    await this.#mirror.read(this.#mapwright);
  }

  leave(): void {
    this.#feed?.leave();
  }

  /** Goes on after the last record that it has. */
  async resume(): Promise<void> {
    this.#feed = await follow(this.#mapwright, '/events', { lastEventId: this.#id });
  }

  /** Takes what is new. Fails if members, order and artboards are not those that a GET shows. */
  async compare(t: Test, when: string): Promise<void> {
    const { text, headers } = await this.#mapwright.get('/projects');
    const shown: unknown = JSON.parse(text);
    const newest = lsnOf(String(headers.etag).slice(1, -1));
    while (lsnOf(this.#id) < newest) {
      const record = await (this.#feed as Followed).next();
      this.#mirror.apply(record);
      this.#id = record.id;
    }
    if (isDeepStrictEqual(this.projects, shown)) return;
    t.strictSame(this.projects, shown, when);
    throw new Error(`the replica differs ${when} (seed ${seed})`);
  }
}

t.test(`a replica that follows the feed has what a GET shows, whatever is changed (seed ${seed})`, async (t) => {
  const chance = new Chance(seed);
  const mapwright = await startMapwright(t);
  const objects = ['a', 'b', 'c'].map((name) => ({ type: 'spot', name }));
  await mapwright.post('/projects', { artboards: [{ objects }, {}] });
  const replica = new Replica(mapwright);
  await replica.begin();
  const changes = new Changes(mapwright, chance);
  const accepted = new Map<Kind, number>();
  const batches = sized({ sample: 150, all: 10_000 });
  let sent = 0;
  let kills = 0;
  const change = async (): Promise<string> => {
    const { kind, answer } = await changes.make(replica.projects);
    const { status, text } = answer;
    if (![200, 204, 400, 404, 409].includes(status)) t.fail(`${kind}: ${status} ${text}`);
    if (kind === 'batch') sent++;
    if (status < 300) accepted.set(kind, (accepted.get(kind) ?? 0) + 1);
    return `after ${kind} ${sent}: ${status}`;
  };
  while (sent < batches) {
    const isKilled = chance.once(changesPerKill);
    if (isKilled) replica.leave();
    let made = await change();
    if (isKilled) {
      // These are changes of the project as the replica has it: some do not fit any more. It gets them from the log of the next process.
      while (chance.once(2)) made = await change();
      if (chance.once(2)) await mapwright.crash();
      else {
        await mapwright.server.snapshot();
        await mapwright.crash();
      }
      kills++;
      await replica.resume();
      made = `${made}, and a kill`;
    }
    await replica.compare(t, made);
  }
  t.comment(`${sent} batches, ${kills} kills, accepted: ${JSON.stringify(Object.fromEntries(accepted))}`);
  // A sample is too small for the rarer ones.
  for (const kind of tier === 'all' ? kinds : []) t.ok((accepted.get(kind) ?? 0) > 0, `${accepted.get(kind)} times: ${kind}`);
  t.ok((accepted.get('batch') ?? 0) > batches / 10, 'many batches were accepted');
  t.ok(kills > 0, `${kills} kills`);
});
