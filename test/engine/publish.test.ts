// process: own
/** Publishing in the engine: how large a map may be before compression. */
import t from 'tap';
import { publishProject } from '../../src/engine/projects/publish-project.ts';
import { publicationJsonBytesMax } from '../../src/model/publication.ts';
import { accountIn, create, done, openWorld, project } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';

t.test('a map of more than 64 MiB before compression is refused, however small it is compressed', async (t) => {
  t.equal(publicationJsonBytesMax, 64 * 1024 * 1024);
  const { engine } = await openWorld(temporaryFolder(t));
  t.teardown(() => engine.close());
  const accountId = await accountIn(engine);
  const projectId = await done(engine, create(project(accountId)));
  const part = Buffer.alloc(1024 * 1024, 'a');
  let last = Buffer.from('a');
  function* json() {
    for (let bytes = 0; bytes < publicationJsonBytesMax; bytes += part.length) yield part;
    yield last;
  }
  const request = { accountId, projectId, shard: 0, allows: () => true, json, rules: () => ['{}'] };
  await t.rejects(publishProject(engine, request), { message: /more than 64 MiB before compression/ });
  t.equal(engine.state.publications.size, 0, 'nothing was changed');
  last = Buffer.alloc(0);
  t.match(await publishProject(engine, request), { outcome: 'done' }, 'as large as allowed');
});
