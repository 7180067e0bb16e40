/** No response is sent before the changes that it shows are durable: the real server, on a disk that the test can hold. */
import path from 'node:path';
import t from 'tap';
import { createServer } from '../../src/index.ts';
import { Wal } from '../../src/storage/wal/write/wal.ts';
import { type Answer, ask } from '../support/client.ts';
import { recordingLog } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';

/** While the disk is held, nothing that is appended counts as durable. */
let held: { readonly after: number; readonly released: Promise<void> } | undefined;
let newest = 0;
const { append, durable } = Wal.prototype;
Wal.prototype.append = function (this: Wal, record) {
  newest = append.call(this, record);
  return newest;
};
Wal.prototype.durable = function (this: Wal, lsn) {
  if (held === undefined || lsn <= held.after) return durable.call(this, lsn);
  return held.released.then(() => durable.call(this, lsn));
};
t.teardown(() => Object.assign(Wal.prototype, { append, durable }));

t.test('responses of any status wait until the changes that they show are durable, and others do not wait', async (t) => {
  const server = await createServer({
    data: path.join(temporaryFolder(t), 'data'),
    log: recordingLog().log,
    segmentBytes: 1024 * 1024,
  });
  t.teardown(() => server.close());
  const { url } = await server.listen(0);
  const { key } = await server.createKey('ann');
  const doomed = await server.createKey('ann');
  const at = { url, key };
  const make = async (name: string) => (await ask(at, 'POST', '/v1/projects', { name, popups: [{}, {}] })).json;
  const [project, other] = [await make('one'), await make('other')];
  const [popup, gone] = project.popups;
  const popups = `/v1/projects/${project.id}/popups`;

  /** Sends `write`, then asks while it is not durable; `status` of each answer once it is. */
  const waits = async (
    what: string,
    write: () => Promise<unknown>,
    asked: readonly [string, () => Promise<Answer>, number][],
  ) => {
    let release: () => void = () => undefined;
    held = {
      after: newest,
      released: new Promise((resolve) => {
        release = resolve;
      }),
    };
    const before = newest;
    const writing = write();
    while (newest === before) await new Promise((resolve) => setImmediate(resolve));
    const answered: string[] = [];
    const note = (name: string) => (answer: Answer) => {
      answered.push(name);
      return answer;
    };
    const answers = asked.map(([name, send]) => send().then(note(name)));
    void writing.then(() => answered.push('the write'));
    // Later requests are answered: the server has read the others, and keeps them back.
    for (let i = 0; i < 10; i++) {
      t.equal((await ask(at, 'GET', `/v1/projects/${other.id}`)).status, 200, `${what}: another project is answered`);
    }
    t.strictSame(answered, [], `${what}: nothing else is`);
    held = undefined;
    release();
    await writing;
    for (const [i, answer] of answers.entries()) t.equal((await answer).status, asked[i]?.[2], `${what}: ${asked[i]?.[0]}`);
  };

  await waits('a patch', () => ask(at, 'PATCH', `${popups}/${popup.id}`, { name: 'new' }), [
    ['the member', () => ask(at, 'GET', `${popups}/${popup.id}`), 200],
    ['its list', () => ask(at, 'GET', popups), 200],
    ['a page of it', () => ask(at, 'GET', `${popups}?limit=1`), 200],
    ['its head', () => ask(at, 'HEAD', `${popups}/${popup.id}`), 200],
    ['the project', () => ask(at, 'GET', `/v1/projects/${project.id}`), 200],
    ['all projects', () => ask(at, 'GET', '/v1/projects'), 200],
    ['the same again', () => ask(at, 'PATCH', `${popups}/${popup.id}`, { name: 'new' }), 200],
    ['an empty patch', () => ask(at, 'PATCH', `${popups}/${popup.id}`, {}), 200],
    ['an invalid one', () => ask(at, 'PATCH', `${popups}/${popup.id}`, { nome: '' }), 400],
    ['one that names a stranger', () => ask(at, 'PATCH', `/v1/projects/${project.id}`, { popups: [{ id: 'x' }] }), 400],
  ]);
  await waits('a deletion', () => ask(at, 'DELETE', `${popups}/${gone.id}`), [
    ['not there', () => ask(at, 'GET', `${popups}/${gone.id}`), 404],
    ['not there to change', () => ask(at, 'PATCH', `${popups}/${gone.id}`, { name: 'late' }), 404],
    ['not there to delete', () => ask(at, 'DELETE', `${popups}/${gone.id}`), 404],
    ['the list without it', () => ask(at, 'GET', popups), 200],
  ]);
  t.equal((await ask({ url, key: doomed.key }, 'GET', '/v1/projects')).status, 200);
  await waits('a revoked key', () => server.revokeKey(doomed.id), [
    ['refused', () => ask({ url, key: doomed.key }, 'GET', '/v1/projects'), 401],
    ['refused for a write', () => ask({ url, key: doomed.key }, 'POST', '/v1/projects', {}), 401],
  ]);
  await waits('a deleted project', () => ask(at, 'DELETE', `/v1/projects/${project.id}`), [
    ['not there', () => ask(at, 'GET', `/v1/projects/${project.id}`), 404],
    ['nothing in it', () => ask(at, 'GET', popups), 404],
    ['nothing to be made in it', () => ask(at, 'POST', popups, {}), 404],
  ]);
});
