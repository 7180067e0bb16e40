// tier: normal
/** The last use of each key: by the hour, kept across restarts, and never in the way of requests. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { recordingLog } from '../support/engine.ts';
import { startMapwright } from '../support/mapwright.ts';
import { run, temporaryFolder } from '../support/process.ts';

const hourMs = 3_600_000;

t.test('the last use of a key is stored by the hour and survives a restart', async (t) => {
  const time = { now: Date.UTC(2030, 0, 1, 10, 20) };
  const mapwright = await startMapwright(t, { clock: () => time.now });
  const { server } = mapwright;
  const [used, unused] = [await server.createKey('ann'), await server.createKey('ann', { expires: '1d' })];
  const lastUses = async () => {
    const keys = await mapwright.server.keys();
    return [used, unused].map(({ id }) => keys.find((key) => key.id === id)?.lastUse);
  };
  t.strictSame(await lastUses(), ['', '']);
  const ask = (key = used.key) => mapwright.get('/projects', { key });
  await ask();
  t.strictSame(await lastUses(), ['2030-01-01T10:20:00.000Z', ''], 'not before it was made');
  time.now += hourMs;
  await ask();
  t.strictSame(await lastUses(), ['2030-01-01T11:00:00.000Z', ''], 'also for a header that is known already');
  time.now -= 5 * hourMs;
  await ask();
  t.strictSame(await lastUses(), ['2030-01-01T11:00:00.000Z', ''], 'a clock that steps back takes nothing back');
  await server.revokeKey(unused.id);
  t.equal((await ask(unused.key)).status, 401);
  t.strictSame(await lastUses(), ['2030-01-01T11:00:00.000Z', ''], 'a refused key is not used');

  await mapwright.restart();
  t.strictSame(await lastUses(), ['2030-01-01T11:00:00.000Z', '']);
  const listed = async () => JSON.parse((await run(['keys', 'list', '--json', '--data', mapwright.data])).stdout);
  const expected = [{}, { id: used.id, last_used: '2030-01-01T11:00:00.000Z' }, { last_used: null }];
  t.match(await listed(), expected, 'for commands');
  await mapwright.close();
  const file = path.join(mapwright.data, 'last-use.json');
  t.equal(fs.statSync(file).mode & 0o777, 0o600);
  t.match(await listed(), expected, 'without a server too');
  await mapwright.start();
  await mapwright.server.deleteAccount('ann');
  await mapwright.close();
  t.strictSame(JSON.parse(fs.readFileSync(file, 'utf8')), {}, 'keys that are gone are forgotten');
});

for (const [what, bytes] of Object.entries({
  cut: '{"k',
  'no object': '[]',
  'no time': '{"k":"soon"}',
  'no text': '{"k":5}',
  empty: '',
})) {
  t.test(`a damaged file of last uses (${what}) is logged and replaced`, async (t) => {
    const { log, logged } = recordingLog();
    const mapwright = await startMapwright(t, { log });
    await mapwright.get('/projects');
    await mapwright.close();
    const file = path.join(mapwright.data, 'last-use.json');
    fs.writeFileSync(file, bytes);
    await mapwright.start();
    t.match(
      logged.filter(([level]) => level === 'warn'),
      [['warn', { file }, /starting with an empty list/]],
    );
    t.match(await mapwright.server.keys(), [{ lastUse: '' }]);
    t.equal((await mapwright.get('/projects')).status, 200);
    t.match(await mapwright.server.keys(), [{ lastUse: /^\d{4}-\d\d-\d\dT/ }]);
    await mapwright.close();
    t.type(JSON.parse(fs.readFileSync(file, 'utf8')), 'object', 'and it is whole again');
  });
}

t.test('a file of last uses that cannot be written is logged once and retried', async (t) => {
  const { log, logged } = recordingLog();
  const mapwright = await startMapwright(t, { log });
  const file = path.join(mapwright.data, 'last-use.json');
  fs.mkdirSync(file);
  await mapwright.get('/projects');
  await mapwright.close();
  t.match(
    logged.filter(([level]) => level === 'warn'),
    [['warn', { file }, /cannot save the last use/]],
  );
});

t.test('a symbolic link in place of the temporary file of last uses is not followed', async (t) => {
  const mapwright = await startMapwright(t);
  await mapwright.get('/projects');
  const victim = path.join(temporaryFolder(t), 'victim');
  fs.writeFileSync(victim, 'mine');
  const file = path.join(mapwright.data, 'last-use.json');
  fs.symlinkSync(victim, `${file}.tmp`);
  await mapwright.close();
  t.equal(fs.readFileSync(victim, 'utf8'), 'mine');
  t.ok(fs.lstatSync(file).isFile());
});
