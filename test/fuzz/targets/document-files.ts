/**
 * Documents with files, imported in a server in memory: one that is taken has the files that it says, with these bytes, and its export is
 * taken again with the same; one that is refused leaves no project. Nothing is a failure of the server.
 */
import { createServer } from '../../../src/index.ts';
import { gif, png, svg } from '../../api/pictures.ts';
import { recordingLog } from '../../support/engine.ts';
import type { Chance } from '../../support/random.ts';
import { mutateBytes } from '../mutate.ts';
import { must, type Target } from '../target.ts';

interface Shown {
  readonly id: string;
  readonly title?: string;
  readonly detail?: string;
}

interface DocumentFile {
  readonly digest: string;
  readonly content?: string;
}

const slugs = [`0${'a'.repeat(26)}`, `0${'b'.repeat(26)}`] as const;
const [first, second] = slugs.map((slug) => `/f/${slug}/plan.png`) as [string, string];

const file = (url: string, bytes: Buffer, more: object = {}) => ({
  name: 'plan.png',
  url,
  content: bytes.toString('base64'),
  ...more,
});
const documents = [
  { files: [] },
  { files: [file(first, png())] },
  { files: [file(first, png(), { type: 'image/png', bytes: png().length }), file(second, gif(), { name: 'plan.gif' })] },
  {
    files: [
      file(first, svg('<circle r="1"/>')),
      { name: 'b.png', url: second, type: 'image/png', bytes: 1, digest: 'a'.repeat(64) },
    ],
  },
  {
    project: {
      popups: [{ image: first, content: `<img src="${first}"><a href='${second}'>x</a>` }],
      artboards: [{ type: 'image', image_url: second, objects: [{ type: 'spot' }] }],
    },
    files: [file(second, png(5, 5)), file(first, png())],
  },
].map(({ project = { name: 'a' }, files }) => ({ format: 'mapwright-project', version: 1, project, files }));

const words = ['"content":"', '"files":[', '"url":', first, second, '====', '"digest":', '\\u0041', '{', ']', '"', ',', 'AAAA'];

/** Values for the members of a file; `undefined` removes one. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  content: [
    undefined,
    '',
    '=',
    'AAAA',
    ...[png(9, 9), gif(), svg('<g/>'), svg('<script/>')].map((bytes) => bytes.toString('base64')),
  ],
  url: [undefined, first, second, '/f/x/y', 'https://x.example/a.png', ''],
  name: [undefined, 'a', 'a/b', 'x'.repeat(201), '\u0000'],
  type: [undefined, 'image/png', 'image/gif', 'text/html'],
  bytes: [undefined, png().length, 0, -1, '1'],
  digest: [undefined, 'a'.repeat(64), 7],
};

/** Changes a member of a file, or bytes: what is no JSON is refused before its files are looked at. */
function mutate(input: Buffer, random: Chance): Buffer {
  try {
    const value = JSON.parse(input.toString()) as { files: Record<string, unknown>[] };
    if (random.once(8)) value.files.push(...value.files);
    const changed = random.pick(value.files);
    const member = random.pick(Object.keys(values));
    changed[member] = random.pick(values[member] as readonly unknown[]);
    const made = Buffer.from(JSON.stringify(value));
    if (!random.once(4)) return made;
  } catch {
    // Not a document with files.
  }
  return mutateBytes(input, random, words, Buffer.from(JSON.stringify(random.pick(documents))));
}

export async function documentFiles(): Promise<Target> {
  const { log, logged } = recordingLog();
  const server = await createServer({ inMemory: true, log, versions: false });
  await server.createAccount('ann');
  const ask = (path: string, init: RequestInit = {}) =>
    server.fetch(new Request(`http://any.example/api/v1${path}`, init), { account: 'ann' });
  const read = async <T>(path: string): Promise<T> => (await (await ask(path)).json()) as T;
  const post = (body: Uint8Array | string) =>
    ask('/projects/import', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Uint8Array(Buffer.from(body)),
    });
  const filesOf = async ({ id }: Shown): Promise<DocumentFile[]> =>
    (await read<{ files?: DocumentFile[] }>(`/projects/${id}/export?files=true`)).files ?? [];
  const keys = (files: readonly DocumentFile[]): string => files.map(({ digest, content }) => `${digest} ${content}`).join();
  return {
    name: 'document-files',
    inputs: 3000,
    seeds: documents.map((value) => Buffer.from(JSON.stringify(value))),
    words,
    mutate,
    outcomes: ['200 with 0', '200 with 1', '200 with 2', '400'],
    async run(input) {
      const answer = await post(input);
      const { status } = answer;
      must([200, 400, 413].includes(status), `status ${status}`);
      if (status !== 200) {
        must((await read<unknown[]>('/projects')).length === 0, 'a refused document made a project');
        return `${status} ${((await answer.json()) as Shown).title}`;
      }
      const made = (await answer.json()) as Shown;
      const sent =
        (JSON.parse(input.toString()) as { files?: DocumentFile[] }).files?.filter(({ content }) => content !== undefined) ?? [];
      const kept = await filesOf(made);
      must(
        kept.map(({ content }) => content).join() ===
          sent.map(({ content }) => Buffer.from(content ?? '', 'base64').toString('base64')).join(),
        `${kept.length} files, of ${sent.length}`,
      );
      const again = await post(await (await ask(`/projects/${made.id}/export?files=true`)).text());
      must(again.status === 200, `its export is refused: ${again.status}`);
      const copy = (await again.json()) as Shown;
      must(keys(await filesOf(copy)) === keys(kept), 'the copy has other files');
      for (const { id } of [made, copy]) await ask(`/projects/${id}`, { method: 'DELETE' });
      return `200 with ${kept.length}`;
    },
    async close() {
      await server.close();
      const failures = logged.filter(([level]) => level === 'error');
      must(failures.length === 0, `logged: ${JSON.stringify(failures[0])}`);
    },
  };
}
