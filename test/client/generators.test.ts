// tier: normal
/** Clients that others generate from openapi.json send what the server takes: pictures, changes, filters; and read what it answers. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import t, { type Test } from 'tap';
import { png } from '../api/pictures.ts';
import { startForRequests } from '../support/mapwright.ts';
import { temporaryFolder } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';

const root = projectRoot(import.meta.dirname);
const packages = path.join(root, 'node_modules');
const run = promisify(execFile);

/** hey-api loads TypeScript as a library, which version 7 is not. */
const typescript6 = `data:text/javascript,${encodeURIComponent(
  `import { register } from 'node:module'; register(${JSON.stringify(
    `data:text/javascript,${encodeURIComponent(
      "export const resolve = (name, context, next) => next(name === 'typescript' ? '@typescript/typescript6' : name, context)",
    )}`,
  )});`,
)}`;

/** A program with a generated client. */
interface Made {
  use(url: string, key: string, picture: Blob): Promise<Used>;
}

interface Used {
  readonly id: string;
  readonly file: unknown;
  readonly names: readonly string[];
  readonly me: string;
  /** Of the picture, as its address serves it; `undefined` if the client reads it as text. */
  readonly bytes?: Blob;
}

/** Loads a program that imports a generated client. */
async function loaded(folder: string, program: string): Promise<Made> {
  const outfile = path.join(folder, 'bundle.mjs');
  await build({
    stdin: { contents: program, resolveDir: folder, loader: 'ts' },
    outfile,
    nodePaths: [packages],
    ...{ bundle: true, format: 'esm', platform: 'node', logLevel: 'silent' },
  });
  return await import(pathToFileURL(outfile).href);
}

/**
 * The same steps with each client: a project, a picture from a Blob, its bytes, a change, a filtered list.
 *
 * @param readsBytes the client reads bytes of `/f/{slug}/{name}`, too
 */
async function worksWith(t: Test, client: Made, readsBytes: boolean): Promise<void> {
  const mapwright = await startForRequests(t);
  const picture = png(3, 2, 'x'.repeat(100));
  const { id, bytes, ...shown } = await client.use(`http://127.0.0.1:${mapwright.port}`, mapwright.key, new Blob([picture]));
  t.match(shown, { file: { name: 'a.png', type: 'image/png', bytes: picture.length }, names: ['Changed'], me: 'ann' });
  const [stored] = (await mapwright.get(`/projects/${id}/files`)).list;
  const served = await fetch(`http://127.0.0.1:${mapwright.port}${stored?.['url']}`);
  t.ok(Buffer.from(await served.arrayBuffer()).equals(picture), 'the bytes arrived as they are');
  if (!readsBytes) return;
  const read = await bytes?.arrayBuffer();
  t.ok(read !== undefined && Buffer.from(read).equals(picture), 'and come back');
}

t.test('a client of @hey-api/openapi-ts', async (t) => {
  const folder = temporaryFolder(t);
  const program = path.join(packages, '@hey-api/openapi-ts/dist/run.mjs');
  const given = ['-i', path.join(root, 'openapi.json'), '-o', path.join(folder, 'made'), '--no-log-file', '--silent'];
  await run(process.execPath, ['--import', typescript6, program, ...given], { cwd: folder });
  const client = await loaded(
    folder,
    `import { client } from './made/client.gen';
    import * as api from './made/sdk.gen';
    export async function use(url: string, key: string, picture: Blob) {
      client.setConfig({ baseUrl: url + '/api/v1', auth: () => key });
      const failing = { throwOnError: true } as const;
      const { data: project } = await api.createProject({ body: { name: 'Made' }, ...failing });
      const path = { project_id: project!.id };
      const { data: file } = await api.createFile({ path, query: { name: 'a.png' }, body: picture, ...failing });
      await api.updateProject({ path, body: { name: 'Changed' }, ...failing });
      const { data: list } = await api.listProjects({ query: { 'name[starts]': 'Ch', fields: 'name' }, ...failing });
      const { data: me } = await api.getMe(failing);
      const [, , slug, name] = file!.url.split('/') as [string, string, string, string];
      // Not below /api/v1: the generated client does not read the servers of an operation.
      const { data: bytes } = await api.getFileBytes({ path: { slug, name }, baseUrl: url, ...failing });
      return { id: project!.id, file, names: list!.map(({ name }) => name), me: me!.account.name, bytes };
    }`,
  );
  await worksWith(t, client, true);
});

t.test('a client of oazapfts', async (t) => {
  const folder = temporaryFolder(t);
  await run(process.execPath, [
    path.join(packages, 'oazapfts/dist/cli.js'),
    path.join(root, 'openapi.json'),
    path.join(folder, 'made.ts'),
  ]);
  const client = await loaded(
    folder,
    `import * as api from './made';
    export async function use(url: string, key: string, picture: Blob) {
      api.defaults.baseUrl = url + '/api/v1';
      api.defaults.headers = { Authorization: 'Bearer ' + key };
      const ok = <T>({ status, data }: { status: number; data?: T }) => {
        if (status !== 200) throw new Error(JSON.stringify(data));
        return data as any;
      };
      const project = ok(await api.createProject({ name: 'Made' }));
      const file = ok(await api.createFile(project.id, 'a.png', picture));
      ok(await api.updateProject(project.id, { name: 'Changed' }));
      const list = ok(await api.listProjects({ nameStarts: 'Ch', fields: 'name' }));
      const me = ok(await api.getMe());
      return { id: project.id, file, names: list.map(({ name }: { name: string }) => name), me: me.account.name };
    }`,
  );
  await worksWith(t, client, false);
});
