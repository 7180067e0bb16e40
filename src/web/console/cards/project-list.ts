/** The projects of the account, and what the cards do with them. */
import { signal } from '@preact/signals';
import { type FailingSource, type ListedPublication, ProblemError, type ProjectDocument } from '../../client/client.ts';
import type { TileSource } from '../../viewer/drawing/ground/tile-source.ts';
import { texts } from '../console-texts.ts';
import { type Controls, controlsOf } from '../controls.ts';
import { isPicture } from '../files/picture.ts';
import { PictureUploads } from '../files/picture-uploads.ts';
import { titleOfFile } from '../files/title-of-file.ts';
import { ImportError, openFile } from '../import/open-file.ts';
import { waitWith } from '../import/waiting-imports.ts';
import { lateTexts } from '../late-texts.ts';
import { askPublications } from '../publish/ask-publication.ts';
import { type ConsoleSession, sessionRefused } from '../server/console-session.ts';
import { reasonOf } from '../server/reason-of.ts';
import { type ExampleName, exampleDocument, exampleNames } from './example-projects.ts';
import { nameIn } from './folders.ts';
import type { ListedProject } from './listed-project.ts';
import { nameFirst } from './new-projects.ts';
import { exportedIn, ProjectFiles } from './project-files.ts';

export class ProjectList {
  readonly session: ConsoleSession;
  readonly controls: Controls;
  /** Where new projects are made; '' for no folder. */
  folder = '';
  /** `undefined` until they are loaded. */
  readonly projects = signal<readonly ListedProject[] | undefined>(undefined);
  /** By project. */
  readonly publications = signal<ReadonlyMap<string, ListedPublication>>(new Map());
  /** The data sources that fail, by project. */
  readonly failing = signal<ReadonlyMap<string, readonly FailingSource[]>>(new Map());
  /** True if publishing again would change what is public, by project: of those that were asked about. */
  readonly changed = signal<ReadonlyMap<string, boolean>>(new Map());
  /** The sources of the tiles that cards show, by their addresses. */
  readonly shownTiles = signal<ReadonlyMap<string, TileSource>>(new Map());
  /** The task that takes a while; '' for nothing. */
  readonly busy = signal('');
  /** The upload of a picture that starts a project. */
  readonly uploads = signal<PictureUploads | undefined>(undefined);
  readonly notice = signal({ text: '', isProblem: false });

  constructor(session: ConsoleSession) {
    this.session = session;
    this.controls = controlsOf(session);
  }

  say(text: string, isProblem = false): void {
    this.notice.value = { text, isProblem };
  }

  async load(): Promise<void> {
    await this.#attempt('', async () => {
      const found: ListedProject[] = [];
      const { client } = this.session;
      const [revisions, publications] = await Promise.all([client.get('/revisions'), askPublications(client)]);
      const revisionOf = new Map(revisions.map(({ project_id, revision }) => [project_id, revision]));
      const query = { fields: 'name,created', limit: 1000 } as const;
      for await (const { id, name = '', created = '' } of client.each('/projects', { params: { query } }))
        found.push({ id, name, created: String(created), revision: revisionOf.get(id) ?? Number.MAX_SAFE_INTEGER });
      this.publications.value = publications;
      this.projects.value = found;
    });
  }

  /** Asks which data sources fail. Without an answer, what is known stays. */
  async askFailing(): Promise<void> {
    const found = await this.session.client.get('/failing-sources').catch((error: unknown) => {
      if (error instanceof ProblemError && error.status === 401) sessionRefused(error.detail);
      return undefined;
    });
    if (found === undefined) return;
    const failing = new Map<string, FailingSource[]>();
    for (const each of found) failing.set(each.project_id, [...(failing.get(each.project_id) ?? []), each]);
    this.failing.value = failing;
  }

  /** Asks whether publishing a project again would change what is public. */
  async askChanged(id: string): Promise<void> {
    const params = { path: { project_id: id } };
    const answer = await this.session.client.get('/projects/{project_id}/publication', { params }).catch(() => undefined);
    if (answer !== undefined) this.changed.value = new Map(this.changed.value).set(id, answer.changed);
  }

  /** Creates a project with an artboard. Its identifier; `undefined` if that failed. */
  create(): Promise<string | undefined> {
    return this.#attempt('', async () => {
      const body = { name: nameIn(this.folder, lateTexts.cards.newName), artboards: [{}] };
      return (await this.session.client.post('/projects', { body })).id;
    });
  }

  /** Stops at the first one that is refused. */
  async duplicate(projects: readonly ListedProject[]): Promise<void> {
    const t = lateTexts.cards;
    const all = await this.#each(projects, t.duplicating, async ({ id, name }) => {
      const params = { path: { project_id: id } };
      await this.session.client.post('/projects/{project_id}/duplicate', { params, body: { name: `${name} (2)` } });
    });
    await this.load();
    if (all) this.say(t.duplicated(projects.map(({ name }) => name)));
  }

  /** Stops at the first one that is refused. */
  async remove(projects: readonly ListedProject[]): Promise<void> {
    const t = lateTexts.cards;
    const all = await this.#each(projects, t.removing, async ({ id }) => {
      await this.session.client.delete('/projects/{project_id}', { params: { path: { project_id: id } } });
      this.projects.value = this.projects.value?.filter((project) => project.id !== id);
    });
    if (all) this.say(t.removed(projects.map(({ name }) => name || texts.unnamed)));
  }

  /** Saves exports with their pictures in one file of the user, and says which are refused. */
  async download(projects: readonly ListedProject[]): Promise<void> {
    const t = lateTexts.cards;
    const files = new ProjectFiles(t.fileName(projects.map(({ name }) => name)));
    const refused: string[] = [];
    const all = await this.#each(projects, t.downloading, async ({ id, name }) => {
      const { data, error } = await this.session.client.GET('/projects/{project_id}/export', {
        params: { path: { project_id: id }, query: { files: true } },
        parseAs: 'blob',
      });
      if (error === undefined) files.add(data);
      else if (error.status === 401) throw error;
      else refused.push(`${name}: ${error.detail}`);
    });
    if (!all) return;
    files.save();
    if (refused.length === 0) this.say(t.downloaded(projects.map(({ name }) => name)));
    else this.say(t.notDownloaded(refused.length, projects.length, refused.join(' ')), true);
  }

  /** One after the other, with the progress; `false` if one was refused. */
  async #each(
    projects: readonly ListedProject[],
    progress: (at: number, all: number) => string,
    task: (project: ListedProject) => Promise<void>,
  ): Promise<boolean> {
    const done = await this.#attempt('', async () => {
      for (const [at, project] of projects.entries()) {
        this.busy.value = progress(at + 1, projects.length);
        await task(project);
      }
      return true;
    });
    return done === true;
  }

  /**
   * Imports exported projects, and starts a project with the pictures as backgrounds, and one for an import with each other file. Stops at
   * the first file that is refused. The last project; `undefined` if a file was refused or several projects were imported: a notice says so.
   */
  async takeFiles(files: readonly File[]): Promise<string | undefined> {
    let last: string | undefined;
    let imported = 0;
    const pictures = files.filter(isPicture);
    // The first picture stands for all.
    for (const file of files.filter((each) => each === pictures[0] || !isPicture(each))) {
      const made = await this.#attempt(lateTexts.cards.importing(file.name), async () => {
        if (isPicture(file)) return this.#startWith(pictures);
        const documents = await exportedIn(file);
        if (documents === undefined) return this.#startForData(file);
        imported += documents.length;
        return this.#importAll(documents);
      });
      if (this.notice.value.isProblem) break;
      last = made ?? last;
    }
    const { text, isProblem } = this.notice.value;
    if (imported < 2 && !isProblem) return last;
    await this.load();
    this.say(isProblem ? text : lateTexts.cards.imported(imported), isProblem);
    return undefined;
  }

  /** Starts a project with pictures as backgrounds, also those that a drop would import as data. `undefined` without any, or if that failed. */
  async startPlan(files: readonly File[]): Promise<string | undefined> {
    const [first] = files;
    return first && this.#attempt(lateTexts.cards.importing(first.name), () => this.#startWith(files));
  }

  /** `undefined` if the user cancels an upload: then there is no project. */
  async #startWith(files: readonly File[]): Promise<string | undefined> {
    const { client } = this.session;
    const name = files.length > 1 ? lateTexts.cards.newName : titleOfFile(files[0] as File);
    const { id } = await client.post('/projects', { body: { name: nameIn(this.folder, name) } });
    const params = { path: { project_id: id } };
    const uploads = new PictureUploads({
      session: () => this.session,
      projectId: id,
      say: () => undefined,
      onSessionEnd: sessionRefused,
    });
    this.uploads.value = uploads;
    const { stored, refusals } = await uploads.storeAll(files, false);
    this.uploads.value = undefined;
    if (stored.length < files.length) {
      await client.delete('/projects/{project_id}', { params });
      if (refusals.length > 0) throw new Error(refusals.join(' '));
      return undefined;
    }
    for (const { url, ...members } of stored)
      await client.post('/projects/{project_id}/artboards', { params, body: { ...members, type: 'image', image_url: url } });
    if (files.length > 1) nameFirst(id);
    return id;
  }

  async #importDocument(body: ProjectDocument): Promise<string> {
    return (await this.session.client.post('/projects/import', { body })).id;
  }

  /** The last project. Stops at the first one that is refused, and says which one. */
  async #importAll(documents: readonly ProjectDocument[]): Promise<string> {
    const t = lateTexts.cards;
    let last = '';
    for (const [at, document] of documents.entries()) {
      if (documents.length > 1) this.busy.value = t.importingSome(at + 1, documents.length);
      try {
        last = await this.#importDocument(document);
      } catch (error) {
        if (documents.length === 1 || !(error instanceof ProblemError) || error.status === 401) throw error;
        throw new Error(t.importedSome(at, documents.length, String(document.project?.name ?? ''), error.detail));
      }
    }
    return last;
  }

  /** A project whose editor asks how the file becomes objects. Refuses a file that cannot be read, before there is a project. */
  async #startForData(file: File): Promise<string> {
    await refuseUnreadable(file);
    const title = titleOfFile(file);
    const body = { name: nameIn(this.folder, title), artboards: [{ name: title, width: 1200, height: 800 }] };
    const { id } = await this.session.client.post('/projects', { body });
    waitWith(id, file);
    return id;
  }

  /** Creates the examples of the package, which are in a folder. */
  async loadExamples(): Promise<void> {
    for (const [at, name] of exampleNames.entries()) {
      const text = lateTexts.cards.loadingExamples(at + 1, exampleNames.length);
      const made = await this.#attempt(text, async () => this.#importDocument(await exampleDocument(name)));
      if (made === undefined) break;
      await this.load();
    }
  }

  /** Creates one example. Its identifier; `undefined` if that failed. @param as its name, instead of its own in the folder of examples */
  startExample(name: ExampleName, as?: string): Promise<string | undefined> {
    return this.#attempt(lateTexts.cards.loadingExamples(1, 1), async () => {
      const document = await exampleDocument(name);
      if (as === undefined) return this.#importDocument(document);
      return this.#importDocument({ ...document, project: { ...document.project, name: nameIn(this.folder, as) } });
    });
  }

  async #attempt<T>(busy: string, task: () => Promise<T>): Promise<T | undefined> {
    this.busy.value = busy;
    try {
      const result = await task();
      if (this.notice.value.isProblem) this.say('');
      return result;
    } catch (error) {
      if (error instanceof ProblemError && error.status === 401) sessionRefused(error.detail);
      this.say(reasonOf(error), true);
      return undefined;
    } finally {
      this.busy.value = '';
    }
  }
}

const areaTried = { type: 'osm', width: 1200, height: 800, osm_lat: 0, osm_lng: 0, osm_zoom: 1 } as const;

/** Rejects with the reason if no choice of the user could make objects of a file. */
async function refuseUnreadable(file: File): Promise<void> {
  const open = await openFile(file);
  const { signal } = new AbortController();
  try {
    await open.convert({ artboard: areaTried, placement: 'centre' }, { signal, onProgress: () => undefined });
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const { code, columns, layers } = error.failure;
    const isOtherLayer = layers !== undefined && layers.names.length > 1;
    if (code !== 'coordinates' && !isOtherLayer && !(code === 'columns' && columns.length > 1)) throw error;
  } finally {
    open.close();
  }
}
