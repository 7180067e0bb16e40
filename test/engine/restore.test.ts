// process: own
/** A restore while other clients write: the version from before it is the state right before it. */
import t from 'tap';
import { JsonCache } from '../../src/api/crud/json-cache.ts';
import { jsonOf } from '../../src/api/versions/version-endpoints.ts';
import { versionsAt, withContent } from '../../src/engine/versions/held-content.ts';
import { restoreVersion } from '../../src/engine/versions/restore-version.ts';
import { keepVersion, type ProjectJson } from '../../src/engine/versions/versions.ts';
import type { Value } from '../../src/model/value.ts';
import { accountIn, create, done, membersIn, openWorld, project, projectIn, update } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';

for (const writes of [0, 1, 2]) {
  t.test(`changes while a restore stores the state before it are in that state (${writes})`, async (t) => {
    const { engine, stored } = await openWorld(temporaryFolder(t));
    t.teardown(() => engine.close());
    const accountId = await accountIn(engine);
    const projectId = await done(engine, create(project(accountId), { name: 'wanted' }));
    const json = jsonOf({ cache: new JsonCache(1024) });
    const at = { accountId, projectId, by: '' };
    const making = { show: () => undefined };
    await keepVersion(engine, stored, { ...at, name: 'x', kind: 'named', json }, making);
    const versions = () => membersIn(engine, accountId, projectId, 'versions');
    const [{ id: versionId }] = versions() as [Value];

    const written: Promise<string>[] = [];
    const overtaken: ProjectJson = (captured) => {
      const pieces = json(captured);
      // The lock is first come, first served: the change has it before the restore has stored the bytes.
      if (written.length < writes)
        written.push(done(engine, update(project(accountId, projectId), { name: `change ${written.length + 1}` })));
      return pieces;
    };
    t.match(await restoreVersion(engine, stored, { ...at, versionId, precondition: undefined, json: overtaken }, making), {
      outcome: 'done',
    });
    t.equal(written.length, writes);
    await Promise.all(written);
    t.equal(projectIn(engine, accountId, projectId).value['name'], 'wanted');
    const kept = versions().find(({ kind }) => kind === 'before-restore') as Value;
    const name = await withContent(engine, stored, versionsAt(at), kept, async (content) => content.project['name']);
    t.equal(name, writes === 0 ? 'wanted' : `change ${writes}`);
  });
}
