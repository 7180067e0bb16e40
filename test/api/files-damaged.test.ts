/** Files whose bytes changed on the disk: none of them is sent, also not a part, before or after they were read. */
import { createHash } from 'node:crypto';
import t, { type Test } from 'tap';
import { flip } from '../support/flip.ts';
import { startMapwright } from '../support/mapwright.ts';
import { type FilesWorld, filesWorld } from './files-world.ts';
import { png } from './pictures.ts';

const alarm = async ({ mapwright }: FilesWorld): Promise<string | undefined> =>
  /^mapwright_alarm\{[^}]*blob_damaged[^}]*\} (\d)$/m.exec((await mapwright.ask('GET', '/metrics', { key: '' })).text)?.[1];

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Each request for the bytes of a file. */
const requests: readonly [what: string, method: string, headers: Record<string, string>][] = [
  ['GET', 'GET', {}],
  ['HEAD', 'HEAD', {}],
  ['a range without the wrong byte', 'GET', { range: 'bytes=0-9' }],
  ['a range with it', 'GET', { range: 'bytes=900-999' }],
];

async function refusesAll(t: Test, world: FilesWorld, url: unknown): Promise<void> {
  for (const [what, method, headers] of requests) {
    const answer = await world.fetch(url, headers, method);
    t.equal(answer.status, 500, what);
    t.equal(answer.headers.get('etag'), null, what);
    t.notMatch(answer.headers.get('cache-control') ?? '', /immutable/, what);
  }
}

for (const [size, bytes] of [
  ['small', png(3, 2, 'x'.repeat(2_000))],
  ['large', png(3, 2, 'x'.repeat(1_500_000))],
] as const) {
  for (const before of ['was read', 'was never read'] as const) {
    t.test(
      `a flipped byte of a ${size} file that ${before} is a 500 and an alarm, until the file is uploaded again`,
      async (t) => {
        const world = await filesWorld(await startMapwright(t));
        const file = await world.uploaded(bytes);
        const url = file['url'];
        const digest = digestOf(bytes);
        if (before === 'was read') for (let i = 0; i < 2; i++) t.ok((await world.fetch(url)).bytes.equals(bytes));
        t.equal(await alarm(world), '0');
        flip(world.blobPath(digest), 950);
        await refusesAll(t, world, url);
        t.equal(await alarm(world), '1');
        const known = await world.fetch(url, { 'if-none-match': `"${digest}"` });
        t.equal(known.status, 304, 'the client has the right bytes');
        t.equal((await world.upload(bytes, 'again.png')).status, 200);
        t.ok((await world.fetch(url)).bytes.equals(bytes));
        t.equal((await world.fetch(url, { range: 'bytes=900-999' })).status, 206);
        t.equal(await alarm(world), '0');
      },
    );
  }
}

t.test('an export with a flipped byte of a file is a 500 or cut off, and an alarm', async (t) => {
  for (const length of [2_000, 1_500_000]) {
    const world = await filesWorld(await startMapwright(t));
    const bytes = png(3, 2, 'x'.repeat(length));
    const file = await world.uploaded(bytes);
    await world.fetch(file['url']);
    flip(world.blobPath(digestOf(bytes)), 950);
    const exported = await world.mapwright.get(`${world.at}/export?files=true`).then(
      ({ status }) => status,
      () => 'cut off',
    );
    t.equal(exported, length > 100_000 ? 'cut off' : 500, `${length} bytes`);
    t.equal(await alarm(world), '1');
    t.equal((await world.mapwright.get(`${world.at}/export?files=true`)).status, 500, 'it is known now');
  }
});
