/** What the server must hold: documents in arrays, with what is beside them, and the comparison with every GET. */
import { createHash } from 'node:crypto';
import type { Answer, Mapwright, Shown } from '../support/mapwright.ts';
import type { Coverage } from './model-coverage.ts';
import { allNames, type Doc, everythingIn, listsOf, membersOf, publicPart, resourceNamed, type Sent } from './model-resources.ts';
import { danglingIn, kindOf } from './naive-references.ts';

/** A file, and its bytes as text. */
export interface HeldFile {
  readonly doc: Doc;
  readonly bytes: string;
}

/** The state of a project that a version keeps, as JSON. */
export interface Kept {
  readonly project: string;
  readonly files: readonly HeldFile[];
}

/** The public copy of a project. */
export interface Publication {
  readonly shown: Shown;
  /** The project as it was published. */
  readonly project: string;
  /** The newest three maps, as JSON, the newest first. */
  readonly maps: readonly string[];
  /** The files that they show. */
  readonly files: readonly (readonly HeldFile[])[];
}

/** What a project has beside its document. */
export class Beside {
  files: HeldFile[] = [];
  /** The newest first. */
  versions: Doc[] = [];
  /** By the identifier of the version. */
  readonly kept = new Map<string, Kept>();
  publication: Publication | undefined;
  /** Identifiers of what was deleted. */
  readonly gone: string[] = [];
}

/** A request that was sent, and its response. */
interface Repeatable {
  readonly ask: () => Promise<Answer>;
  readonly text: string;
  /** The project without which a repetition is a 404; `undefined` for any. */
  readonly needs?: string;
}

const collectionSteps = ({ name }: { readonly name: string }): string => `/${name.replaceAll('_', '-')}`;

/** The path of a list. @param parent path of what has it */
export const listPath = (parent: string, of: string): string => {
  const named = [...resourceNamed('Project').collections, ...resourceNamed('Artboard').collections];
  const collection = named.find(({ resource }) => resource.title === of);
  return parent + (collection === undefined ? `/${of.toLowerCase()}s` : collectionSteps(collection));
};

/** Public addresses. */
export const urlsOf = (files: readonly HeldFile[]): string[] => files.map(({ doc }) => doc['url'] as string);

/** The files whose addresses a map has. */
export const filesShown = (files: readonly HeldFile[], map: string): HeldFile[] =>
  files.filter(({ doc }) => map.includes(JSON.stringify(doc['url'])));

export class Model {
  readonly mapwright: Mapwright;
  readonly key: string;
  readonly coverage: Coverage;
  readonly projects: Doc[] = [];
  readonly validKeys: { id: string; key: string }[] = [];
  readonly revokedKeys: string[] = [];
  /** Addresses of maps and files that are public no more. */
  readonly ended: string[] = [];
  /** Requests with an `Idempotency-Key`. */
  givenOnce: Repeatable[] = [];
  readonly #beside = new Map<string, Beside>();
  /** What each entity tag of an address stands for. */
  readonly #tagged = new Map<string, string>();
  /** The revision and the JSON of each project at the last comparison. */
  #revisions = new Map<string, { revision: number; text: string }>();
  /** The newest identifier seen. */
  #newest = '';
  #keys = 0;

  constructor(mapwright: Mapwright, key: string, coverage: Coverage) {
    this.mapwright = mapwright;
    this.key = key;
    this.coverage = coverage;
  }

  /** The header of a request that may be repeated. */
  newIdempotencyKey(): { 'idempotency-key': string } {
    return { 'idempotency-key': `${this.#keys++}` };
  }

  beside({ id }: Doc): Beside {
    const found = this.#beside.get(id) ?? new Beside();
    this.#beside.set(id, found);
    return found;
  }

  /** Takes over what only the server can know, which must be new: identifiers ascend. */
  adopt(name: string, doc: Doc, shown: Shown): void {
    if (doc.id === '') {
      this.note(shown.id, false);
      for (const { member, isReadOnly } of membersOf(name)) if (isReadOnly) doc[member] = shown[member];
    }
    for (const [member, of] of listsOf(name)) {
      (doc[member] as Doc[]).forEach((held, i) => {
        const one = (shown[member] as Shown[] | undefined)?.[i];
        if (one !== undefined) this.adopt(of, held, one);
      });
    }
  }

  /** The identifiers of a copy by those of its original: they are all new, in no order among themselves. */
  idsOfCopy(original: Doc, shown: Shown): Map<string, string> {
    const [from, to] = [original, shown as Doc].map((doc) => [...everythingIn('Project', doc)].map(([, { id }]) => id));
    const made = to as string[];
    const old = made.find((id) => id <= this.#newest);
    if (old !== undefined) throw new Error(`the identifier ${old} is not new`);
    for (const id of made.sort()) this.note(id, false);
    const inOrder = [...everythingIn('Project', shown as Doc)].map(([, { id }]) => id);
    return new Map((from as string[]).map((id, i) => [id, inOrder[i] as string]));
  }

  /** Takes over an identifier. @param isChosen a client chose it: those of the server that follow come after it */
  note(id: string, isChosen: boolean): void {
    if (!isChosen && id <= this.#newest) throw new Error(`the identifier ${id} does not come after ${this.#newest}`);
    if (id > this.#newest) this.#newest = id;
  }

  project(pick: number): Doc | undefined {
    return this.projects[pick % Math.max(this.projects.length, 1)];
  }

  /** What members can refer to: everything that is in a project, and some of what was. */
  targets(project: Doc | undefined): { ids: string[]; urls: string[] } {
    if (project === undefined) return { ids: [], urls: [] };
    const { files, gone } = this.beside(project);
    const ids = [...everythingIn('Project', project)].map(([, { id }]) => id);
    return { ids: [...ids, ...gone.slice(-3)], urls: urlsOf(files) };
  }

  /** Forgets what a deleted project had beside its document. */
  forget(project: Doc): void {
    const beside = this.beside(project);
    this.ended.push(...urlsOf(beside.files));
    this.endPublication(beside);
    this.#beside.delete(project.id);
    this.givenOnce = this.givenOnce.filter(({ needs }) => needs !== project.id);
  }

  endPublication(beside: Beside): void {
    const { publication } = beside;
    if (publication !== undefined)
      this.ended.push(`/p/${publication.shown['slug']}/map.json`, ...urlsOf(publication.files.flat()));
    beside.publication = undefined;
  }

  /** The entity tags of all projects and their lists. A restart keeps those of what is there. */
  async tags(): Promise<string[]> {
    const tags: string[] = [];
    for (const project of this.projects) {
      const at = `/projects/${project.id}`;
      tags.push(await this.expect(at, project));
      for (const [member, of] of listsOf('Project'))
        if ((project[member] as Doc[]).length > 0) tags.push(await this.expect(listPath(at, of), project[member]));
    }
    return tags;
  }

  /** Compares what the server answers to every GET with what it must hold. */
  async compare(): Promise<void> {
    await this.expect('/projects', this.projects);
    for (const project of this.projects) {
      this.coverage.shown('Project', project);
      const at = `/projects/${project.id}`;
      await this.expect(at, project);
      await this.#compareLists('Project', project, at);
      await this.#compareBeside(project, at);
      await this.#compareProblems(project, at);
    }
    await this.#compareAccount();
    const present = new Set(
      [...this.#beside.values()].flatMap(({ files, publication }) => urlsOf([...files, ...(publication?.files ?? []).flat()])),
    );
    for (const url of this.ended.slice(-12)) if (!present.has(url)) await this.#expectPublic(url, undefined);
    for (const { ask, text } of this.givenOnce.slice(-5)) mustBe('repeated', (await ask()).text, text);
    for (const { key } of this.validKeys) await this.#expectStatus(key, 200);
    for (const key of this.revokedKeys) await this.#expectStatus(key, 401);
  }

  async #compareLists(name: string, doc: Doc, path: string): Promise<void> {
    for (const [member, of] of listsOf(name)) {
      const at = listPath(path, of);
      await this.expect(at, doc[member]);
      for (const held of doc[member] as Doc[]) {
        await this.expect(`${at}/${held.id}`, held);
        await this.#compareLists(of, held, `${at}/${held.id}`);
      }
    }
  }

  async #compareBeside(project: Doc, at: string): Promise<void> {
    const { files, versions, kept, publication } = this.beside(project);
    await this.expect(
      `${at}/files`,
      files.map(({ doc }) => doc),
    );
    await this.expect(`${at}/versions`, versions);
    for (const { doc, bytes } of files) {
      this.coverage.shown('File', doc);
      await this.#expectPublic(doc['url'] as string, bytes);
    }
    for (const version of versions.slice(0, 2)) {
      this.coverage.shown('Version', version);
      await this.expect(`${at}/versions/${version.id}`, JSON.parse((kept.get(version.id) as Kept).project));
      for (const { doc, bytes } of (kept.get(version.id) as Kept).files) {
        const { text } = await this.mapwright.get(`${at}/versions/${version.id}/files/${doc.id}`, { key: this.key });
        mustBe('a file of a version', text, bytes);
      }
    }
    const draft = JSON.stringify(publicPart(project));
    mustBe('a draft', (await this.mapwright.get(`${at}/publication/draft`, { key: this.key })).text, draft);
    const { status, text } = await this.mapwright.get(`${at}/publication`, { key: this.key });
    if (publication === undefined) return mustBe('no publication', `${status}`, '404');
    const { shown, maps } = publication;
    const { stale } = JSON.parse(text) as { stale: boolean };
    // After a change that was undone, it is stale and not changed.
    if (publication.project !== JSON.stringify(project)) mustBe('stale', `${stale}`, 'true');
    mustBe('a publication', text, JSON.stringify({ ...shown, stale, changed: draft !== maps[0] }));
    const base = `/p/${shown['slug']}`;
    const pointer = await this.mapwright.ask('GET', `${base}/map.json`, { key: '' });
    mustBe('the newest map', `${pointer.shown['map']}`, fileOf(maps[0] as string));
    mustBe('its version', `${pointer.shown['version']}`, `${shown['version']}`);
    for (const map of maps) await this.#expectPublic(`${base}/${fileOf(map)}`, map);
    for (const { doc, bytes } of publication.files.flat()) await this.#expectPublic(doc['url'] as string, bytes);
  }

  async #compareProblems(project: Doc, at: string): Promise<void> {
    const { list } = await this.mapwright.get(`${at}/problems`, { key: this.key });
    const { files } = this.beside(project);
    const found = list.map((problem) => problem as unknown as { pointer: string; refers_to: { kind: string; id: string } });
    const kinds = allNames.filter((name) => name !== 'File').map(kindOf);
    const wanted = danglingIn(project).map(({ pointer, names, value }) => `${pointer} ${kindOf(names)} ${value.slice(0, 30)}`);
    const ofDocument = found.filter(({ refers_to: { kind } }) => kinds.includes(kind));
    const text = ofDocument.map(({ pointer, refers_to: { kind, id } }) => `${pointer} ${kind} ${id.slice(0, 30)}`);
    mustBe('problems', JSON.stringify(text), JSON.stringify(wanted));
    const named = new Set(files.map(({ doc }) => slugOf(doc)));
    for (const {
      pointer,
      refers_to: { kind, id },
    } of found)
      if (kind === 'file' && named.has(id)) throw new Error(`${pointer} refers to a file that is there`);
  }

  /** What the account uses, its publications, and the order of its changes. */
  async #compareAccount(): Promise<void> {
    const { mapwright, key } = this;
    const everything = this.projects.map((project) => ({ project, beside: this.beside(project) }));
    const { use } = (await mapwright.get('/me', { key })).shown as unknown as { use: Record<string, number> };
    const members = everything.map(
      ({ project, beside }) => [...everythingIn('Project', project)].length - 1 + beside.files.length,
    );
    const versions = everything.map(({ beside }) => beside.versions.length);
    const sum = (counts: readonly number[]): number => counts.reduce((a, b) => a + b, 0);
    const wanted = { projects: everything.length, members: sum(members), versions: sum(versions) };
    mustBe(
      'use',
      JSON.stringify({ ...use, bytes: 0 }),
      JSON.stringify({ projects: wanted.projects, members: wanted.members, bytes: 0, versions: wanted.versions }),
    );
    const ids = this.projects.map(({ id }) => id).sort();
    const publics = everything.filter(({ beside }) => beside.publication !== undefined).map(({ project }) => project.id);
    const { list } = await mapwright.get('/publications', { key });
    mustBe('publications', list.map((each) => each['project_id']).join(), publics.sort().join());
    const revisions = (await mapwright.get('/revisions', { key })).list as unknown as { project_id: string; revision: number }[];
    mustBe('revisions', revisions.map((each) => each.project_id).join(), ids.join());
    const newest = Math.max(0, ...[...this.#revisions.values()].map(({ revision }) => revision));
    const texts = new Map(this.projects.map((project) => [project.id, JSON.stringify(project)]));
    for (const { project_id: id, revision } of revisions) {
      const before = this.#revisions.get(id);
      if (before?.text !== texts.get(id) && revision <= newest)
        throw new Error(`${id} has changed, and its revision is ${revision}`);
    }
    this.#revisions = new Map(revisions.map(({ project_id: id, revision }) => [id, { revision, text: texts.get(id) as string }]));
  }

  /** Reads what must be there. Returns its entity tag, which stands for these bytes alone. */
  async expect(at: string, wanted: unknown): Promise<string> {
    const { text, headers } = await this.mapwright.get(at, { key: this.key });
    mustBe(`GET ${at}`, text, JSON.stringify(wanted));
    this.tagged(at, headers['etag'], text);
    return headers['etag'] as string;
  }

  /** An entity tag of an address stands for one response, for ever. */
  tagged(at: string, tag: string | undefined, text: string): void {
    const name = `${at} ${tag}`;
    const digest = createHash('sha256').update(text).digest('hex');
    if ((this.#tagged.get(name) ?? digest) !== digest) throw new Error(`${name} stands for two responses`);
    this.#tagged.set(name, digest);
  }

  /** @param wanted what anyone gets at a public address; `undefined` for a 404 */
  async #expectPublic(url: string, wanted: string | undefined): Promise<void> {
    const { status, text } = await this.mapwright.ask('GET', url, { key: '' });
    if (wanted === undefined) mustBe(`GET ${url}`, `${status}`, '404');
    else mustBe(`GET ${url}`, text, wanted);
  }

  async #expectStatus(key: string, wanted: number): Promise<void> {
    const { status } = await this.mapwright.get('/projects?fields=id', { key });
    mustBe('a key', String(status), String(wanted));
  }
}

const slugOf = (doc: Sent): string => (doc['url'] as string).split('/')[2] as string;

/** The name of a map. */
export const fileOf = (map: string): string => `${createHash('sha256').update(map).digest('hex')}.json`;

export function mustBe(what: string, found: string, wanted: string): void {
  if (found === wanted) return;
  let at = 0;
  while (found[at] === wanted[at]) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 80), at + 200);
  throw new Error(`${what}, from character ${at} on:\n  found  ${around(found)}\n  wanted ${around(wanted)}`);
}
