/** A restart decodes nothing, and a request decodes only what it reads. */
import t from 'tap';
import type { Engine } from '../../src/engine/engine.ts';
import { findCollection, findMember } from '../../src/store/find.ts';
import { create, done, member, remove, update } from '../support/engine.ts';
import { chunk, restarted } from './restarted.ts';

/** For each project, whether its own members are decoded, and which of its chunks are. */
function decoded(engine: Engine): [own: boolean, chunks: number[]][] {
  return [...engine.state.accounts.values()].flatMap(({ projects }) =>
    [...projects.values()].map((held): [boolean, number[]] => {
      const leaves = held.collection('popups', '')?.leaves ?? [];
      return [held.packed === undefined, leaves.flatMap((leaf, i) => (leaf.decoded ? [i] : []))];
    }),
  );
}

const nothing: [boolean, number[]] = [false, []];

t.test('a restart decodes no member', async (t) => {
  const { engine, path } = await restarted(t, 4);
  t.strictSame(decoded(engine), [nothing, nothing]);
  t.equal(findCollection(engine.state, path).value?.collection?.size, 4 * chunk, 'how many there are is known');
  t.strictSame(decoded(engine), [nothing, nothing]);
});

t.test('reading a member decodes that member, and reading many of a chunk decodes the chunk', async (t) => {
  const { engine, path, ids } = await restarted(t, 4);
  const name = (i: number) => findMember(engine.state, path, ids[i] as string).value?.member;
  t.equal(name(300)?.value['name'], '300');
  t.equal(name(300), name(300), 'the same, so that what is known of it is kept');
  t.equal(findMember(engine.state, path, 'zzz').value, undefined);
  t.equal(findMember(engine.state, path, `${ids[300]}0`).value, undefined);
  t.strictSame(decoded(engine), [nothing, nothing]);
  const known = name(300);
  for (let i = 256; i < 320; i++) name(i);
  t.strictSame(decoded(engine), [[false, [1]], nothing]);
  t.equal(name(300), known);
});

t.test('reading a page decodes only its chunks', async (t) => {
  const { engine, path } = await restarted(t, 4);
  const collection = findCollection(engine.state, path).value?.collection;
  t.equal(collection?.page(509, 4).members.length, 4);
  // One more is looked at, to know whether there is more.
  t.strictSame(decoded(engine), [[false, [1, 2]], nothing]);
});

t.test('a change, deletion or creation decodes only its own chunk, and no project', async (t) => {
  const { engine, account, one, ids } = await restarted(t, 4);
  await done(engine, update(member(account, one, 'popups', ids[0]), { name: 'new' }));
  t.strictSame(decoded(engine), [[false, [0]], nothing]);
  await done(engine, remove(member(account, one, 'popups', ids[600])));
  t.strictSame(decoded(engine), [[false, [0, 2]], nothing]);
  await done(engine, create(member(account, one, 'popups')));
  const [[, chunks], other] = decoded(engine) as [[boolean, number[]], [boolean, number[]]];
  t.strictSame(chunks.slice(0, 2), [0, 2]);
  t.notOk(chunks.includes(1));
  t.strictSame(other, nothing);
});
