// tier: all, process: own
/** The example of CONTRIBUTING.md, on a copy of the sources: one declaration adds a member everywhere. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { schemaVersion } from '../../src/model/schema-version.ts';
import type { Change } from '../../src/store/operations/operations.ts';
import { ask, type Json } from '../support/client.ts';
import { fetchDescribed } from '../support/fetch.ts';
import { must, serve, surroundings, temporaryFolder } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';

const root = projectRoot(import.meta.dirname);
const contributing = fs.readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

t.test('the declaration of a member in CONTRIBUTING.md adds it to the whole API', async (t) => {
  const section = contributing.slice(contributing.indexOf('## A field in one place'));
  const blocks = [...section.matchAll(/\n```ts\n([\s\S]*?)```/g)].map(([, code]) => code as string);
  t.equal(blocks.length, 1);
  const [member = ''] = blocks;

  const copy = temporaryFolder(t);
  for (const name of ['package.json', 'tsconfig.json', 'openapi.json'])
    fs.copyFileSync(path.join(root, name), path.join(copy, name));
  for (const name of ['.ci', 'src']) fs.cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  const edit = (file: string, change: (text: string) => string) => {
    const at = path.join(copy, 'src', 'model', file);
    const before = fs.readFileSync(at, 'utf8');
    const after = change(before);
    t.not(after, before, `${file} is changed`);
    fs.writeFileSync(at, after);
  };
  edit('resources/popup.ts', (text) => text.replace(/(?=\n {2}\},\n {2}\{\s*title: 'Popup')/, `\n    ${member.trim()}`));
  edit('schema-version.ts', (text) => text.replace(/(?<=schemaVersion = )\d+/, String(schemaVersion + 1)));
  const run = promisify(execFile);
  await run('npm', ['run', '--silent', 'sources'], { cwd: copy, env: surroundings });
  t.match(fs.readFileSync(path.join(copy, 'src/web/console/generated/forms.ts'), 'utf8'), '"label":"Language of the texts"');
  t.match(fs.readFileSync(path.join(copy, 'src/web/client/generated/api-types.ts'), 'utf8'), '  language?: string;');
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await run(process.execPath, [tsc, '-p', 'src'], { cwd: copy });

  const model = path.join(copy, 'dist', 'src', 'model');
  const { encodeRecord } = (await import(
    path.join(copy, 'dist/src/store/operations/record.js')
  )) as typeof import('../../src/store/operations/record.ts');
  const { unpack } = (await import(path.join(model, 'stored.js'))) as typeof import('../../src/model/stored.ts');
  const [accountId, keyId] = ['a', 'k'];
  const changes: readonly Change[] = [
    { op: 'delete-account', accountId },
    { op: 'delete-key', accountId, keyId },
  ];
  t.strictSame(
    changes.map((change) => unpack(encodeRecord({ time: 0, changes: [change] }))[0]),
    [schemaVersion + 1, schemaVersion + 1],
    'an older program refuses every record, whatever is in it',
  );

  const folder = path.join(copy, 'store');
  const program = { file: path.join(copy, 'dist', 'src', 'cli', 'mapwright.js') };
  const start = async (key?: string) => Object.assign(await serve(t, folder, [], key, program), { described: false } as const);
  let server = await start();
  const { id } = await must(server, 'POST', '/projects', { name: 'p' });
  const popups = `/projects/${id}/popups`;
  const refused = await ask(server, 'POST', `/v1${popups}`, { langage: 'de' });
  t.match(refused, { status: 400, text: /did you mean \\"language\\"\?/ });
  t.notOk('language' in (await must(server, 'POST', popups, {})));
  const popup = await must(server, 'POST', popups, { title: 'Hallo', language: 'de' });
  await server.end('SIGKILL');
  server = await start(server.key);
  t.strictSame(await must(server, 'GET', `${popups}?language=de&fields=language`), [{ id: popup.id, language: 'de' }]);
  const copied = await must(server, 'POST', `/projects/${id}/duplicate`);
  t.match(copied.popups, [{ language: undefined }, { language: 'de' }]);
  const described = (await (await fetchDescribed(`${server.url}/openapi.json`)).json()) as Json;
  t.match(described.components.schemas.Popup.properties.language, { type: 'string', description: /BCP 47/ });
  t.notOk(JSON.stringify(JSON.parse(fs.readFileSync(path.join(root, 'openapi.json'), 'utf8'))).includes('BCP 47'));
});
