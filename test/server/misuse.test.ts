/** Mistakes of a host program or of the owner of a folder: clear errors, no loss, nothing left open. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { CorruptError, createServer, FolderError, type ServerOptions } from '../../src/index.ts';
import { ask } from '../support/client.ts';
import { recordingLog } from '../support/engine.ts';
import { run, temporaryFolder } from '../support/process.ts';

const quick = { segmentBytes: 1024 * 1024, log: recordingLog().log };

t.test('invalid options of createServer are refused with a message', async (t) => {
  const cases: [unknown, RegExp][] = [
    [undefined, /needs the path of a data folder/],
    [{}, /needs the path of a data folder/],
    [{ data: '' }, /needs the path of a data folder/],
    [{ data: 'maps', segmentByte: 1 }, /no option "segmentByte"; did you mean "segmentBytes"\?/],
    [{ data: 'maps', sync: 'interval' }, /always, never/],
    [{ data: 'maps', inMemory: 'yes' }, /"inMemory" of createServer must be a boolean/],
    [{ inMemory: false }, /needs the path of a data folder/],
    [{ data: 7 }, /"data" of createServer must be a string/],
    [null, /needs the path of a data folder/],
    [{ data: 'maps', toString: 1 }, /no option "toString"/],
    [{ data: 'maps', log: null }, /"log" of createServer must be an object/],
    [{ data: 'maps', log: { info() {}, warn() {} } }, /"log" of createServer needs a function "error"/],
    [{ data: 'maps', quotas: { member: 1 } }, /"quotas" of createServer has no member "member"; did you mean "members"\?/],
    [{ data: 'maps', quotas: { members: -1 } }, /"quotas.members" of createServer must be a non-negative integer/],
    [
      { data: 'maps', backup: { dir: 'b', everyMs: 1000 } },
      /"backup" of createServer needs "keep": Number of newest backups to keep/,
    ],
    [{ data: 'maps', backup: { folder: 'b' } }, /"backup" of createServer has no member "folder"/],
    [
      { data: 'maps', backup: { dir: 'b', everyMs: 1000, keep: 1, kep: 2 } },
      /"backup" of createServer has no member "kep"; did you mean "keep"\?/,
    ],
    [{ data: 'maps', cacheBytes: -1 }, /"cacheBytes" of createServer must be a number from 0 to 68719476736/],
    [{ data: 'maps', elementsMax: Number.NaN }, /"elementsMax" of createServer must be a number from 1 to 1000000/],
    [{ data: 'maps', snapshotMinutes: Number.POSITIVE_INFINITY }, /"snapshotMinutes"/],
    [{ data: 'maps', clock: 0 }, /"clock" of createServer must be a function/],
    [{ data: 'maps', publicUrl: 'maps' }, /"maps" is not a URL: write one such as https:\S+, or a path such as \/maps/],
    [{ data: 'maps', publicUrl: '/:id' }, /the path of "\/:id" has characters other than letters, .*: write one such as \/maps/],
    [{ data: 'maps', publicUrl: '//maps' }, /write one such as \/maps/],
    [{ data: 'maps', publicUrl: '/a/../b' }, /write one such as \/maps/],
    [{ data: 'maps', publicUrl: '/maps/v1' }, /write it without that path, \/maps/],
    [{ data: 'maps', schemas: [] }, /"schemas" of createServer must be an object/],
    [{ data: 'maps', limits: { bodyBytesMx: 1 } }, /unknown limit "bodyBytesMx"; did you mean "bodyBytesMax"\?/],
    [{ data: 'maps', limits: { constructor: 1 } }, /unknown limit "constructor"/],
    [{ data: 'maps', limits: { bodyBytesMax: 0 } }, /"bodyBytesMax" must be a whole number from 1 to/],
    [{ data: 'maps', limits: { requestTimeoutMs: 0 } }, /"requestTimeoutMs" must be a whole number from 1/],
    [{ data: 'maps', limits: { requestTimeoutMs: '5' } }, /"requestTimeoutMs" must be/],
    [{ data: 'maps', limits: { connectionsMax: Number.POSITIVE_INFINITY } }, /"connectionsMax" must be/],
    [{ data: 'maps', limits: { headersMax: 1.5 } }, /"headersMax" must be/],
    [
      { data: 'maps', limits: { bodyBytesMax: 1000, bodiesBytesMax: 1999 } },
      /"bodiesBytesMax" is 1999\. It must be at least twice "bodyBytesMax"/,
    ],
    [{ data: 'maps', cors: 'https://a.example' }, /"cors" of createServer must be an array/],
    [{ data: 'maps', cors: {} }, /"cors" of createServer must be an array/],
    [{ data: 'maps', limits: [] }, /"limits" of createServer must be an object/],
    [{ data: 'maps', cors: [undefined] }, /"cors" of createServer is invalid/],
    [{ data: 'maps', cors: ['https://a.example/'] }, /is invalid: "https:\/\/a.example\/" .* for example https:\/\/a\.example$/],
    [{ data: 'maps', publicUrl: 'maps.example.com' }, /"publicUrl" .* "maps.example.com" is not a URL: write one such as https/],
    [{ data: 'maps', trustProxy: 1 }, /"trustProxy" of createServer must be a string/],
    [{ data: 'maps', trustProxy: 'nginx' }, /"trustProxy" of createServer is invalid: "nginx" is not an address/],
    [
      { data: 'maps', trustProxy: '1', limits: { connectionsPerAddressMax: 9 } },
      /"connectionsPerAddressMax" needs the addresses of your proxies in "trustProxy"/,
    ],
    [{ data: 'maps', compression: 'br' }, /"compression" of createServer must be a boolean/],
    [{ data: 'maps', cacheBytes: '1' }, /"cacheBytes" of createServer must be a number/],
    [
      { data: 'maps', memoryBytes: 1000, decodedCacheBytes: 1001 },
      /"decodedCacheBytes" of createServer is 1001\. It is a part of "memoryBytes", which is 1000 here/,
    ],
    [{ data: 'maps', decodedCacheBytes: -1 }, /"decodedCacheBytes" of createServer must be 0 to/],
    [{ data: 'maps', decodedCacheBytes: Number.MAX_SAFE_INTEGER }, /"decodedCacheBytes" .* is a part of "memoryBytes"/],
    [{ data: 'maps', segmentBytes: 4194306 }, /"segmentBytes" of createServer must be a multiple of 512/],
    [{ data: 'maps', segmentBytes: 4096 }, /"segmentBytes" of createServer must be a number from 1048576 to 268435456/],
  ];
  for (const [options, message] of cases) await t.rejects(createServer(options as ServerOptions), { name: 'TypeError', message });
  t.notOk(fs.existsSync('maps'));
});

t.test('a folder with other files is refused and not written', async (t) => {
  const data = temporaryFolder(t);
  fs.writeFileSync(path.join(data, 'thesis.doc'), 'mine');
  await t.rejects(createServer({ ...quick, data }), FolderError);
  t.strictSame(fs.readdirSync(data), ['thesis.doc'], 'nothing was put into it');
});

t.test('a server without a control socket logs a warning and serves', async (t) => {
  const data = temporaryFolder(t);
  fs.mkdirSync(path.join(data, 'control.sock'));
  fs.writeFileSync(path.join(data, 'control.sock', 'x'), '');
  const { log, logged } = recordingLog();
  const server = await createServer({ ...quick, data, log });
  t.match(logged, [['warn', {}, /cannot create the control socket/]]);
  t.match(await server.createKey('ann'), { key: /^mw_/ });
  await server.close();
});

t.test('close during a snapshot releases the folder, and nothing is written after it', async (t) => {
  const data = temporaryFolder(t);
  const server = await createServer({ ...quick, data });
  await server.createKey('ann');
  const asked = server.snapshot().catch(() => undefined);
  await server.close();
  await t.rejects(server.listen(0), /closed/);
  const left = () => [...fs.readdirSync(path.join(data, 'snapshots')), ...fs.readdirSync(path.join(data, 'journal'))];
  const then = left();
  await asked;
  t.strictSame(left(), then);
  const again = await createServer({ ...quick, data });
  t.equal((await again.keys()).length, 1);
  await again.close();
});

t.test("a snapshot of another folder's history does not pass for this one's", async (t) => {
  for (const written of ['nothing', 'something']) {
    const [mine, other] = [temporaryFolder(t), temporaryFolder(t)];
    for (const data of [mine, other]) {
      const server = await createServer({ ...quick, data });
      const { url } = await server.listen(0);
      const at = { url, key: (await server.createKey('ann')).key };
      const project = (await ask(at, 'POST', '/v1/projects', {})).json;
      await server.snapshot();
      if (written === 'something') await ask(at, 'POST', `/v1/projects/${project.id}/popups`, {});
      await server.close();
    }
    const [snapshot] = fs.readdirSync(path.join(other, 'snapshots'));
    const name = path.join('snapshots', snapshot as string);
    fs.copyFileSync(path.join(other, name), path.join(mine, name));
    await t.rejects(createServer({ ...quick, data: mine }), CorruptError, `${written} was written after it`);
    const { code, stdout } = await run(['verify', '--json', '--data', mine]);
    const { findings, restores } = JSON.parse(stdout);
    t.equal(restores, undefined);
    t.ok(findings.length > 0);
    t.equal(code, 3);
  }
});
