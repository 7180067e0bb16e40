/** A restart of an engine from a snapshot: everything is bytes. */
import type { Test } from 'tap';
import { accountIn, create, done, membersIn, openWorld, project, projectIn } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';

/** Members of a chunk that has as many as it may. */
export const chunk = 256;

/** A restarted engine with two projects of so many chunks of popups each. @param options of the restart */
export async function restarted(t: Pick<Test, 'teardown'>, chunks: number, options: Parameters<typeof openWorld>[1] = {}) {
  const folder = temporaryFolder(t);
  const first = await openWorld(folder);
  const account = await accountIn(first.engine);
  const popups = Array.from({ length: chunks * chunk }, (_, i) => ({ name: `${i}` }));
  const one = await done(first.engine, create(project(account), { popups }));
  await done(first.engine, create(project(account), { popups }));
  const ids = membersIn(first.engine, account, one, 'popups').map((popup) => popup.id);
  await first.engine.snapshot();
  await first.engine.close();
  const { engine } = await openWorld(folder, options);
  t.teardown(() => engine.close());
  const path = { accountId: account, projectId: one, collection: 'popups', parentId: '' } as const;
  const collection = projectIn(engine, account, one).collection('popups', '');
  if (collection === undefined) throw new Error('there are no popups');
  return { engine, account, one, ids, path, collection };
}
