/** The programs of docs/client.md, run as printed against a real server. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import t, { type Test } from 'tap';
import { ask } from '../support/client.ts';
import { serve, temporaryFolder } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';
import { clientPrograms } from './programs.ts';

const run = promisify(execFile);
const compiled = path.join(import.meta.dirname, '..', '..', 'src');
/** The folders of the entries, below `src`. */
const folders: Readonly<Record<string, string>> = { client: 'web/client', schemas: 'model/schemas' };
const [program = '', , schemas = ''] = clientPrograms();

/** What a program prints. The package is not installed here, so its entries are named by their files. */
async function printed(t: Test, text: string, env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { code } = await transform(text, { loader: 'ts', format: 'esm' });
  const resolved = code
    .replaceAll(/"mapwright\/(\w+)"/g, (_, name: string) =>
      JSON.stringify(path.join(compiled, folders[name] ?? name, `${name}.js`)),
    )
    .replaceAll(
      /"typebox\/compile"/g,
      JSON.stringify(path.join(projectRoot(compiled), 'node_modules/typebox/build/compile/index.mjs')),
    );
  const file = path.join(temporaryFolder(t), 'program.mjs');
  fs.writeFileSync(file, resolved);
  const { stdout, stderr } = await run(process.execPath, [file], { env: { ...process.env, ...env } });
  t.equal(stderr, '');
  return stdout.trim().split('\n');
}

t.test('the program of docs/client.md creates the shown map', async (t) => {
  const folder = temporaryFolder(t);
  fs.chmodSync(folder, 0o700);
  const server = await serve(t, folder);
  const lines = await printed(t, program.replace('http://127.0.0.1:8070', server.url), { MAPWRIGHT_KEY: server.key });
  const { json } = await ask(server, 'GET', '/v1/projects');
  t.match(json, [
    { name: 'City walk, longer', artboards: [{ objects: [{ name: 'Cathedral' }] }], popups: [{ title: 'St. Stephen' }] },
  ]);
  t.equal(json[0].popups[0].attachedTo, json[0].artboards[0].objects[0].id);
  t.match(lines, [`${json[0].id} City walk, longer`, /does not exist/]);
});

t.test('the program with schemas of docs/client.md prints true', async (t) => {
  t.strictSame(await printed(t, schemas), ['true']);
});
