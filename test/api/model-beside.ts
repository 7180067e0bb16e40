/** Random requests for what a project has beside its document: files, versions, a publication, and copies of all of it. */

import { bodyOf } from '../support/arbitrary.ts';
import fc from '../support/fast-check.ts';
import type { Answer, Mapwright, Shown } from '../support/mapwright.ts';
import { type Beside, fileOf, filesShown, type HeldFile, type Kept, type Model, mustBe, urlsOf } from './model.ts';
import { type Doc, everythingIn, membersOf, publicPart, renamed, resourceNamed, type Sent } from './model-resources.ts';
import { picks, step, write } from './model-steps.ts';
import { svg } from './pictures.ts';

/** Everything that a step about one project needs. */
interface At {
  readonly model: Model;
  readonly mapwright: Mapwright;
  readonly project: Doc;
  readonly beside: Beside;
  /** Path of the project below the version prefix. */
  readonly at: string;
  readonly key: string;
}

/** A step on one of the projects that have something; none if there is none. */
const inProject = (
  what: string,
  where: readonly number[],
  run: (at: At) => Promise<void>,
  has: (beside: Beside) => boolean = () => true,
) =>
  step(`${what} ${where}`, async (model, mapwright) => {
    const all = model.projects.filter((project) => has(model.beside(project)));
    const project = all[(where[0] as number) % Math.max(all.length, 1)];
    if (project === undefined) return;
    await run({ model, mapwright, project, beside: model.beside(project), at: `/projects/${project.id}`, key: model.key });
  });

const hasFiles = ({ files }: Beside): boolean => files.length > 0;
const hasVersions = ({ versions }: Beside): boolean => versions.length > 0;

const mustSucceed = (what: string, { status, text }: Answer): void => {
  if (status !== 200) throw new Error(`${what}: ${status} ${text.slice(0, 300)}`);
};

const fileName = bodyOf(resourceNamed('File')).map(({ name }) => name as string);

/** A picture, new or like one of before. */
export const upload = fc.tuple(picks, fileName, fc.nat(9), fc.boolean()).map(([where, name, size, once]) =>
  inProject(`upload ${size}`, where, async ({ model, mapwright, project, beside, at, key }) => {
    const bytes = svg('', `width="${size + 1}" height="2"`).toString();
    const headers = { 'content-type': 'image/svg+xml', ...(once && model.newIdempotencyKey()) };
    const ask = () => mapwright.post(`${at}/files?name=${encodeURIComponent(name)}`, bytes, { key, headers });
    const answer = await ask();
    mustSucceed('upload', answer);
    const { shown } = answer;
    model.note(shown.id, false);
    const doc = { ...shown, name, type: 'image/svg+xml', bytes: bytes.length, width: size + 1, height: 2 };
    mustBe('upload', answer.text, JSON.stringify(doc));
    if (once) model.givenOnce.push({ ask, text: answer.text, needs: project.id });
    beside.files.push({ doc, bytes });
  }),
);

/** Another name of a file, or no file any more. */
export const changeFile = fc.tuple(picks, fileName, fc.boolean(), fc.boolean()).map(([where, name, isDeleted, isBatch]) =>
  inProject(
    isDeleted ? 'delete a file' : 'rename a file',
    where,
    async ({ model, mapwright, beside, at, key }) => {
      const index = where[2] % Math.max(beside.files.length, 1);
      const file = beside.files[index];
      if (file === undefined) return;
      const address = `${at}/files/${file.doc.id}`;
      const way = isBatch ? 'batch' : 'whole';
      if (isDeleted) {
        mustBe('deleted', `${(await write(mapwright, key, { method: 'DELETE', address, way })).status}`, '204');
        beside.files.splice(index, 1);
        model.ended.push(...urlsOf([file]));
      } else {
        const doc = { ...file.doc, name };
        mustBe(
          'renamed',
          (await write(mapwright, key, { method: 'PATCH', address, body: { name }, way })).text,
          JSON.stringify(doc),
        );
        beside.files[index] = { ...file, doc };
      }
    },
    hasFiles,
  ),
);

/** How many resources a state has, as a version says. */
function countsOf(project: Doc, files: readonly HeldFile[]): Record<string, number> {
  const counts = membersOf('Version').find(({ member }) => member === 'counts')?.schema.properties ?? {};
  const all = [...everythingIn('Project', project)].map(([name]) => name);
  const titleOf = (collection: string) =>
    collection.replaceAll(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase()).slice(0, -1);
  return Object.fromEntries(
    Object.keys(counts).map((each) => [
      each,
      each === 'files' ? files.length : all.filter((name) => name === titleOf(each)).length,
    ]),
  );
}

/** The label of the key that a run has. A request in the process has no key. */
export const keyLabel = 'random requests';

/** Adds a version of the state to the model. @param shown the version as the server shows it */
function keep({ model, beside }: At, shown: Shown, state: Kept, name: string, kind: string): void {
  model.note(shown.id, false);
  const { id, created, bytes, key_label } = shown;
  if (key_label !== keyLabel && key_label !== '') throw new Error(`made by the key ${key_label}`);
  const counts = countsOf(JSON.parse(state.project) as Doc, state.files);
  const doc = { id, name, created, kind, key_label, bytes, counts } as Doc;
  mustBe('a version', JSON.stringify(shown), JSON.stringify(doc));
  beside.versions.unshift(doc);
  beside.kept.set(id, state);
}

const stateOf = ({ project, beside }: At): Kept => ({ project: JSON.stringify(project), files: [...beside.files] });

const versionBody = bodyOf(resourceNamed('Version')).map((body) => body as { name?: string });

export const keepVersion = fc.tuple(picks, versionBody).map(([where, body]) =>
  inProject('keep a version', where, async (all) => {
    const answer = await all.mapwright.post(`${all.at}/versions`, body, { key: all.key });
    mustSucceed('keep', answer);
    keep(all, answer.shown, stateOf(all), body.name ?? '', 'named');
  }),
);

/** Another name of a version, or fewer versions. */
export const changeVersion = fc
  .tuple(picks, fc.constantFrom('rename', 'delete', 'delete all'), versionBody)
  .map(([where, does, { name = '' }]) =>
    inProject(`${does} versions`, where, async ({ mapwright, beside, at, key }) => {
      const index = where[2] % Math.max(beside.versions.length, 1);
      const version = beside.versions[index];
      if (version === undefined) return;
      const address = `${at}/versions/${version.id}`;
      if (does === 'rename') {
        beside.versions[index] = { ...version, name };
        mustBe('renamed', (await mapwright.patch(address, { name }, { key })).text, JSON.stringify(beside.versions[index]));
        return;
      }
      const isAll = does === 'delete all';
      mustBe(does, `${(await mapwright.delete(isAll ? `${at}/versions` : address, { key })).status}`, '204');
      beside.versions.splice(isAll ? 0 : index, isAll ? Number.POSITIVE_INFINITY : 1);
      mustBe('deleted', `${(await mapwright.get(address, { key })).status}`, '404');
    }),
  );

/** The differences between two states, counted by identifier. */
function differencesOf(before: Kept, after: Kept): Record<string, number> {
  const own = (state: Kept): Map<string, string> => {
    const all = [...everythingIn('Project', JSON.parse(state.project) as Doc)].map(([name, doc]): [string, string] => {
      const members = Object.fromEntries(
        membersOf(name)
          .filter(({ of }) => of === undefined)
          .map(({ member }) => [member, doc[member]]),
      );
      return [doc.id, JSON.stringify(members)];
    });
    return new Map([...all, ...state.files.map(({ doc }): [string, string] => [doc.id, JSON.stringify(doc)])]);
  };
  const [from, to] = [own(before), own(after)];
  const both = [...to.keys()].filter((id) => from.has(id));
  return {
    created: to.size - both.length,
    changed: both.filter((id) => from.get(id) !== to.get(id)).length,
    deleted: from.size - both.length,
  };
}

/** Compares the present state with a version, goes back to it, and keeps the state before. */
export const restore = picks.map((where) =>
  inProject(
    'restore',
    where,
    async (all) => {
      const { model, mapwright, project, beside, at, key } = all;
      const version = beside.versions[where[2] % Math.max(beside.versions.length, 1)];
      if (version === undefined) return;
      const wanted = beside.kept.get(version.id) as Kept;
      const { counts } = (await mapwright.get(`${at}/versions/${version.id}/changes`, { key })).shown as unknown as {
        counts: object;
      };
      const differences = differencesOf(wanted, stateOf(all));
      const ofMoves = JSON.stringify({ ...counts, changed: differences['changed'] });
      mustBe('differences', ofMoves, JSON.stringify(differences));
      const before = stateOf(all);
      const answer = await mapwright.post(`${at}/versions/${version.id}/restore`, undefined, { key });
      mustSucceed('restore', answer);
      mustBe('restored', answer.text, wanted.project);
      const [newest] = (await mapwright.get(`${at}/versions?limit=1`, { key })).list as [Shown];
      const name = `Before the restore of ${version['name'] === '' ? version['created'] : version['name']}`.slice(0, 200);
      keep(all, newest, before, name, 'before-restore');
      model.ended.push(...urlsOf(beside.files));
      beside.files = [...wanted.files];
      model.projects[model.projects.indexOf(project)] = JSON.parse(wanted.project) as Doc;
    },
    hasVersions,
  ),
);

const origins = fc.constantFrom<string[]>(['*'], [], ['https://a.example'], ['https://a.example', 'https://b.example']);

export const publish = fc.tuple(picks, fc.option(origins, { nil: undefined })).map(([where, given]) =>
  inProject('publish', where, async ({ model, mapwright, project, beside, at, key }) => {
    const body = { refresh: 0, ...(given && { origins: given }) };
    const answer = await mapwright.ask('PUT', `/v1${at}/publication`, { key, body });
    mustSucceed('publish', answer);
    const before = beside.publication;
    const map = JSON.stringify(publicPart(project));
    const isNew = map !== before?.maps[0];
    const version = before === undefined ? 1 : (before.shown['version'] as number) + Number(isNew);
    const { slug, published, bytes } = isNew ? answer.shown : before.shown;
    if (before !== undefined) mustBe('its slug', `${slug}`, `${before.shown['slug']}`);
    const shown = {
      ...{ slug, name: '', url: `/p/${slug}`, version, published, bytes, stale: false, changed: false, refresh: 0 },
      ...{ origins: given ?? before?.shown['origins'] ?? ['*'], picture: null },
    };
    mustBe('published', answer.text, JSON.stringify(shown));
    const maps = isNew ? [map, ...(before?.maps ?? [])] : before.maps;
    // The files of a map that is published again are those that the project has now.
    const files = [filesShown(beside.files, map), ...(before?.files ?? []).slice(isNew ? 0 : 1)];
    for (const gone of maps.slice(3)) if (!maps.slice(0, 3).includes(gone)) model.ended.push(`/p/${slug}/${fileOf(gone)}`);
    model.ended.push(...urlsOf(files.slice(3).flat()));
    beside.publication = {
      shown: shown as unknown as Shown,
      project: JSON.stringify(project),
      maps: maps.slice(0, 3),
      files: files.slice(0, 3),
    };
  }),
);

export const unpublish = picks.map((where) =>
  inProject('unpublish', where, async ({ model, mapwright, beside, at, key }) => {
    const { status } = await mapwright.delete(`${at}/publication`, { key });
    mustBe('unpublished', `${status}`, beside.publication === undefined ? '404' : '204');
    model.endPublication(beside);
  }),
);

type Source = 'duplicate' | 'duplicate a version' | 'export and import' | 'export and import with files';

/** A project of another one: as a copy, also of a version, or exported and imported. */
export const copy = fc
  .tuple(
    picks,
    fc.constantFrom<Source[]>('duplicate', 'duplicate a version', 'export and import', 'export and import with files'),
    fc.boolean(),
  )
  .map(([where, source, once]) =>
    inProject(source, where, async (all) => {
      const { model, mapwright, project, beside, at, key } = all;
      const isImport = source.startsWith('export');
      const version =
        source === 'duplicate a version' ? beside.versions[where[2] % Math.max(beside.versions.length, 1)] : undefined;
      const state = version === undefined ? stateOf(all) : (beside.kept.get(version.id) as Kept);
      const document = isImport ? (await mapwright.get(`${at}/export?files=${source.endsWith('files')}`, { key })).text : '';
      if (isImport)
        mustBe('an export', JSON.stringify((JSON.parse(document) as { project: Doc }).project), JSON.stringify(project));
      const headers = once ? model.newIdempotencyKey() : {};
      const body = { name: 'a copy', ...(version && { version: version.id }) };
      const ask = () =>
        isImport
          ? mapwright.post('/projects/import', document, { key, headers })
          : mapwright.post(`${at}/duplicate`, body, { key, headers });
      const answer = await ask();
      mustSucceed(source, answer);
      if (once) model.givenOnce.push({ ask, text: answer.text });
      await judgeCopy(all, answer, state, isImport ? {} : { name: 'a copy' }, source !== 'export and import');
    }),
  );

async function judgeCopy(
  { model, mapwright, key }: At,
  answer: Answer,
  state: Kept,
  other: Sent,
  hasFiles: boolean,
): Promise<void> {
  const original = { ...(JSON.parse(state.project) as Doc), ...other };
  const ids = model.idsOfCopy(original, answer.shown);
  const made = (await mapwright.get(`/projects/${answer.shown.id}/files`, { key })).list;
  const wanted = hasFiles ? state.files : [];
  mustBe('files of a copy', `${made.length}`, `${wanted.length}`);
  const files = wanted.map(({ doc, bytes }, i): HeldFile => {
    const { id, url, created } = made[i] as Shown;
    mustBe('a file of a copy', JSON.stringify(made[i]), JSON.stringify({ ...doc, id, url, created }));
    return { doc: made[i] as Doc, bytes };
  });
  for (const { doc } of files) model.note(doc.id, true);
  const urls = new Map(wanted.map(({ doc }, i) => [doc['url'] as string, files[i]?.doc['url'] as string]));
  const { user_id, created } = answer.shown;
  const doc = { ...renamed('Project', original, ids, urls), user_id, created };
  mustBe('a copy', answer.text, JSON.stringify(doc));
  model.projects.push(JSON.parse(JSON.stringify(doc)) as Doc);
  model.beside(doc).files = files;
}
