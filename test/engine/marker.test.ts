/** The marker of a data folder: a folder that has had data is never opened as a new one. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { CorruptError, FolderError } from '../../src/lib/errors.ts';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { restore } from '../../src/storage/recovery/recover-folder.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { accountIn, create, done, foldersIn, openWorld, project } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';

/** A data folder with one record, closed in good order. */
async function used(test: Parameters<typeof temporaryFolder>[0]): Promise<string> {
  const folder = temporaryFolder(test);
  const { engine } = await openWorld(folder);
  await done(engine, create(project(await accountIn(engine)), { name: 'kept' }));
  await engine.close();
  return folder;
}

t.test('opening a folder writes its marker once', async (t) => {
  const folder = await used(t);
  const marker = path.join(folder, 'format');
  t.equal(fs.readFileSync(marker, 'utf8'), 'mapwright data folder, format 1\n');
  const { ino } = fs.statSync(marker);
  const { engine } = await openWorld(folder);
  await engine.close();
  t.equal(fs.statSync(marker).ino, ino);
  t.strictSame(fs.readdirSync(folder).sort(), ['format', 'journal', 'snapshots']);
});

t.test('a marked folder without segments is refused as damaged', async (t) => {
  for (const lost of ['every segment', 'the whole journal']) {
    const folder = await used(t);
    const journal = path.join(folder, 'journal');
    if (lost === 'every segment') for (const name of fs.readdirSync(journal)) fs.rmSync(path.join(journal, name));
    else fs.rmSync(journal, { recursive: true });
    await t.rejects(openWorld(folder), { name: 'CorruptError', file: journal, message: /no segment.*had a log/ }, lost);
    t.throws(() => restore(nodeFiles, foldersIn(folder)), CorruptError, 'and refused again: nothing was made');
  }
});

t.test('a folder without a marker gets one when it is opened', async (t) => {
  const folder = await used(t);
  fs.rmSync(path.join(folder, 'format'));
  fs.writeFileSync(path.join(folder, 'format.tmp'), 'left by a crash');
  const { engine } = await openWorld(folder);
  await engine.close();
  t.equal(fs.readFileSync(path.join(folder, 'format'), 'utf8'), 'mapwright data folder, format 1\n');
  t.notOk(fs.existsSync(path.join(folder, 'format.tmp')));
});

t.test('a marker of another format version is refused by number, and one with other text as damage', async (t) => {
  const folder = await used(t);
  const marker = path.join(folder, 'format');
  const says = async (format: number, message: string) => {
    fs.writeFileSync(marker, `mapwright data folder, format ${format}\n`);
    await t.rejects(openWorld(folder), new FolderError(message));
  };
  await says(4, `${marker} says format version 4; this mapwright reads versions 1 to 3.`);
  await says(
    2,
    `${folder} is the cache of a cluster: the data is in a database. Start it with --cluster, or make a folder of it: mapwright cluster leave --help`,
  );
  await says(
    3,
    `The data of ${folder} was moved into a cluster, and moved.json does not say which. To use the folder as it was then: mapwright restore --from ${folder} --data NEWDIR`,
  );
  for (const words of ['', 'mapwright data folder, format 1', 'something else\n', 'x'.repeat(100_000)]) {
    fs.writeFileSync(marker, words);
    await t.rejects(openWorld(folder), { name: 'CorruptError', file: marker, offset: 0 }, JSON.stringify(words.slice(0, 40)));
  }
});

t.test('a folder opens with a warning if a full disk has no room for its marker', async (t) => {
  const files = new SimulatedDisk();
  const first = await openWorld('/data', { files });
  await done(first.engine, create(project(await accountIn(first.engine))));
  await first.engine.close();
  files.delete('/data/format');
  files.fail({ kind: 'create', name: 'format.tmp', code: 'ENOSPC' });
  const { engine, logged } = await openWorld('/data', { files });
  t.match(logged, [['warn', {}, /cannot write the marker/]]);
  await engine.close();
  t.notOk(files.has('/data/format'));
});
