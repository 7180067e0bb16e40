/** The index of accounts by name agrees with the accounts after every change. */
import t from 'tap';
import type { Account } from '../../src/model/account.ts';
import { applyRecord } from '../../src/store/apply.ts';
import type { Change } from '../../src/store/operations/operations.ts';
import { runLeaves } from '../../src/store/run-leaf.ts';
import { accountAt, State } from '../../src/store/state.ts';

const account = (id: string, name: string): Account => ({ id, name, created: '' });
const put = (id: string, name: string): Change => ({ op: 'put-account', account: account(id, name) });
const remove = (accountId: string): Change => ({ op: 'delete-account', accountId });

/** Holds the index against a search through all accounts. */
function check(state: State, names: readonly string[], after: string): void {
  for (const name of names) {
    const first = [...state.accounts.values()].find((account) => account.name === name);
    const found = state.accountNamed(name);
    if (found !== first) throw new Error(`"${name}" leads to ${found?.id}, not to ${first?.id}, after ${after}`);
  }
}

t.test('the index by name agrees after creating, renaming and deleting accounts', (t) => {
  const state = new State(runLeaves);
  const ids = ['1', '2', '3', '4'];
  const names = ['a', 'b', 'c', 'd', 'e'];
  let lsn = 0;
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const steps: string[] = [];
  for (let i = 0; i < 5000; i++) {
    const id = ids[random(ids.length)] as string;
    const name = names[random(names.length)] as string;
    const isFree = [...state.accounts.values()].every((account) => account.id === id || account.name !== name);
    if (random(4) === 0 && state.accounts.has(id)) {
      applyRecord(state, ++lsn, [remove(id)]);
      steps.push(`delete ${id}`);
    } else if (isFree) {
      applyRecord(state, ++lsn, [put(id, name)]);
      steps.push(`${id} is ${name}`);
    }
    check(state, names, steps.slice(-5).join(', '));
  }
  t.ok(steps.length > 2000);
  state.accounts.clear();
  check(state, names, 'all are gone');
  t.end();
});

t.test('the index by name follows an account that replaces another one', (t) => {
  const state = new State(runLeaves);
  state.accounts.set('1', accountAt(account('1', 'a'), 1));
  const copy = accountAt(account('1', 'a'), 1);
  state.accounts.set('1', copy);
  t.equal(state.accountNamed('a'), copy);
  state.accounts.set('1', accountAt(account('1', 'b'), 1));
  t.equal(state.accountNamed('a'), undefined);
  t.equal(state.accountNamed('b')?.id, '1');
  t.end();
});

t.test('the index by name handles two accounts of one name, as a repair may leave them', (t) => {
  const state = new State(runLeaves);
  const names = ['a', 'b'];
  applyRecord(state, 1, [put('1', 'a'), put('2', 'a'), put('3', 'a')]);
  t.equal(state.accountNamed('a')?.id, '1');
  applyRecord(state, 2, [put('2', 'b')]);
  check(state, names, 'the second has another name');
  applyRecord(state, 3, [remove('1')]);
  t.equal(state.accountNamed('a')?.id, '3');
  applyRecord(state, 4, [remove('3')]);
  t.equal(state.accountNamed('a'), undefined);
  check(state, names, 'all but one are gone');
  t.end();
});
