/** Editors of one project on a server, without a browser, each with a connection that the test makes slow, breaks and resumes. */
import type { Test } from 'tap';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { createClient } from '../../src/web/client/client.ts';
import { texts } from '../../src/web/console/console-texts.ts';
import { followProject } from '../../src/web/console/document/follow-project.ts';
import { ProjectApi } from '../../src/web/console/document/project-api.ts';
import { ProjectEdits } from '../../src/web/console/document/project-edits.ts';
import { ProjectStore } from '../../src/web/console/document/project-store.ts';
import type { Members, Resource, ResourceRef } from '../../src/web/console/kinds/resource-kinds.ts';
import { type Mapwright, type Shown, startForRequests, startMapwright } from '../support/mapwright.ts';
import { until } from '../support/until.ts';

/** A connection between an editor and the server. */
export class Line {
  /** `lost`: requests arrive, and answers do not. */
  state: 'up' | 'down' | 'lost' = 'up';
  /** The answer of the server to every write, while there is one. */
  refusal: { readonly status: number; readonly code: string } | undefined;
  /** Requests other than reads that were sent, refused ones included. */
  writes = 0;
  /** Reads that were sent. */
  reads = 0;
  /** Requests other than reads that have no answer yet. */
  waiting = 0;
  #slow: Deferred<void> | undefined;
  #late: Deferred<void> | undefined;

  /** Requests wait until the returned function is called. */
  hold(): () => void {
    this.#slow = new Deferred();
    return () => {
      this.#slow?.resolve();
      this.#slow = undefined;
    };
  }

  /** Requests arrive, and answers to writes wait until the returned function is called. */
  holdAnswers(): () => void {
    this.#late = new Deferred();
    return () => {
      this.#late?.resolve();
      this.#late = undefined;
    };
  }

  /** @param send sends a request to the server */
  fetchTo(send: (request: Request) => Promise<Response>): typeof fetch {
    return async (input, init) => {
      const request = new Request(input, init);
      const isWrite = request.method !== 'GET';
      if (isWrite) this.writes++;
      else this.reads++;
      await this.#slow?.promise;
      if (this.state === 'down') throw new TypeError('fetch failed');
      if (isWrite && this.refusal !== undefined) return problem(this.refusal);
      if (isWrite) this.waiting++;
      try {
        const response = await send(request);
        if (isWrite) await this.#late?.promise;
        if (this.state !== 'lost') return response;
        // The feed never ends.
        if (isWrite) await response.arrayBuffer();
        else await response.body?.cancel();
        throw new TypeError('fetch failed');
      } finally {
        if (isWrite) this.waiting--;
      }
    };
  }
}

const problem = ({ status, code }: { readonly status: number; readonly code: string }): Response =>
  Response.json({ status, code, title: code, detail: `because of ${status}` }, { status });

export interface Editor {
  readonly store: ProjectStore;
  readonly edits: ProjectEdits;
  readonly line: Line;
  /** Reasons for which the server has ended the session. */
  readonly sessionEnds: readonly string[];
  /** Takes the changes of everybody from now on, as an editor on the screen does. Resolves with what others have changed or deleted. */
  follow(): Promise<string[]>;
  /** The members that are shown of the object with this name. */
  shown(name: string): Resource | undefined;
  idOf(name: string): string;
  /** Draws a spot. */
  draw(members: Members): Promise<readonly ResourceRef[]>;
  /** Deletes the object with this name. */
  remove(name: string): Promise<readonly ResourceRef[]>;
}

export interface World {
  readonly mapwright: Mapwright;
  readonly path: string;
  readonly artboardId: string;
  /** Opens another editor of the project. */
  editor(canWrite?: boolean): Promise<Editor>;
  /** The members that are stored of the object with this name. */
  stored(name: string): Promise<Shown | undefined>;
  /** Names of all objects, in their order. */
  names(): Promise<string>;
  /** Another user draws a spot. */
  draw(name: string): Promise<Shown>;
  /** Another user changes an object, of which no editor hears before its feed, or its next request. */
  change(name: string, members: Members): Promise<void>;
  remove(name: string): Promise<void>;
  /** Another user brings a deleted object back, as its last one. */
  createAgain(value: Members): Promise<void>;
}

/** How the editors of a test reach their server, and where it keeps its data. */
interface Home {
  start(t: Test, options: { readonly versions: boolean }): Promise<Mapwright>;
  send(mapwright: Mapwright, request: Request): Promise<Response>;
}

/** A server in memory, in this process: without sockets between it and its editors. */
const inProcess: Home = {
  start: startForRequests,
  send: ({ server }, request) => server.fetch(request, { account: 'ann' }),
};

/** A server on a disk, over HTTP: it can be killed, and has another port when it is there again. */
const overHttp: Home = {
  start: startMapwright,
  send({ port }, request) {
    const url = new URL(request.url);
    url.port = String(port);
    return fetch(new Request(url, request));
  },
};

/** @param names of spots, single letters; `versions`: the server keeps automatic ones */
export type Open = (t: Test, names: string, options?: { readonly versions?: boolean }) => Promise<World>;

export const openInProcess: Open = (t, names, options) => opened(t, inProcess, names, options);
export const openOverHttp: Open = (t, names, options) => opened(t, overHttp, names, options);

async function opened(t: Test, home: Home, names: string, { versions = false } = {}): Promise<World> {
  const mapwright = await home.start(t, { versions });
  const objects = [...names].map((name, n) => ({ type: 'spot', name, x: 10 * n, y: 0, radius: 5, color: '#0000ff' }));
  const made = (await mapwright.post('/projects', { name: 'Centre', artboards: [{ name: 'Ground', objects }] })).shown;
  const path = `/projects/${made.id}`;
  const artboardId = (made['artboards'] as readonly Shown[])[0]?.id as string;
  const at = `${path}/artboards/${artboardId}/objects`;
  const listed = async () => (await mapwright.get(at)).list as readonly Shown[];
  const stored = async (name: string) => (await listed()).find((each) => each['name'] === name);
  const pathOf = async (name: string) => `${at}/${(await stored(name))?.id}`;
  return {
    ...{ mapwright, path, artboardId, stored },
    editor: (canWrite = true) => openEditor(t, { mapwright, home, projectId: made.id, artboardId, canWrite }),
    draw: async (name) => (await mapwright.post(at, { type: 'spot', name, x: 1, y: 1, radius: 2 })).shown,
    names: async () => (await listed()).map(({ name }) => name).join(''),
    change: async (name, members) => void (await mapwright.patch(await pathOf(name), members)),
    remove: async (name) => void (await mapwright.delete(await pathOf(name))),
    async createAgain({ id, ...body }) {
      const operations = [{ method: 'POST', path: `/artboards/${artboardId}/objects`, id, body }];
      const { status, text } = await mapwright.post(`${path}/batch`, { operations });
      if (status !== 200) throw new Error(text);
    },
  };
}

interface EditorOptions {
  readonly mapwright: Mapwright;
  readonly home: Home;
  readonly projectId: string;
  readonly artboardId: string;
  readonly canWrite: boolean;
}

async function openEditor(t: Test, { mapwright, home, projectId, artboardId, canWrite }: EditorOptions): Promise<Editor> {
  const line = new Line();
  const fetch = line.fetchTo((request) => home.send(mapwright, request));
  const client = createClient({ baseUrl: `http://127.0.0.1:${mapwright.port}`, key: mapwright.key, retry: false, fetch });
  const api = new ProjectApi(client, projectId);
  const store = new ProjectStore(projectId);
  const { value, version } = await api.load();
  store.load(value, version);
  const sessionEnds: string[] = [];
  const edits = new ProjectEdits(store, api, canWrite, (reason) => sessionEnds.push(reason));
  t.teardown(() => edits.close());
  const shown = (name: string) => store.members({ kind: 'object', artboardId }).find((each) => each['name'] === name);
  const idOf = (name: string) => shown(name)?.id ?? name;
  return {
    ...{ store, edits, line, sessionEnds, shown, idOf },
    draw(members) {
      const edit = edits.begin();
      edit.create(`objects:${artboardId}`, { type: 'spot', x: 1, y: 1, radius: 2, ...members });
      return edits.run(edit);
    },
    remove: (name) => edits.run(edits.begin().remove(idOf(name))),
    async follow() {
      const heard: string[] = [];
      const stop = new AbortController();
      const nothing = () => undefined;
      const load = async (): Promise<void> => {
        const project = await api.load().catch(nothing);
        if (project !== undefined && !edits.take(project)) await load();
      };
      const handlers = {
        onDelete({ id }: ResourceRef) {
          heard.push(`deleted ${store.shown(id)?.['name']}`);
          edits.onDeleted(id);
        },
        onForeign(ref: ResourceRef) {
          heard.push(`changed ${store.shown(ref.id)?.['name']}`);
          edits.sayForeign(ref, texts.editor.foreign);
        },
        ...{ onPublication: nothing, onFiles: nothing, onVersions: nothing, onGone: nothing, onEnd: nothing },
        onReset: load,
      };
      const followed = (async () => {
        while (!stop.signal.aborted) {
          await followProject(client, store, stop.signal, handlers);
          // The connection has ended.
          if (stop.signal.aborted) return;
          await new Promise((resolve) => setTimeout(resolve, 20));
          await load();
        }
      })();
      t.teardown(async () => {
        stop.abort();
        await followed;
      });
      return heard;
    },
  };
}

/** The identifier of another artboard, which another user adds. */
export const secondArtboard = async ({ mapwright, path }: Pick<World, 'mapwright' | 'path'>): Promise<string> =>
  (await mapwright.post(`${path}/artboards`, { name: 'Second' })).shown.id;

/** Waits until an editor says that it waits for the server. */
export const waiting = ({ edits }: Editor): Promise<void> => until('the change waits', () => edits.state.value === 'waiting');

/** Waits until an editor shows what the server has, in its order. */
export async function agreed({ store }: Editor, { mapwright, path, artboardId }: World): Promise<void> {
  await until('the editor shows what the server has', async () => {
    const listed = (await mapwright.get(`${path}/artboards/${artboardId}/objects`)).list as readonly Shown[];
    const shown = store.members({ kind: 'object', artboardId });
    const part = ({ id, name, color, x }: Members) => ({ id, name, color, x });
    return JSON.stringify(listed.map(part)) === JSON.stringify(shown.map(part));
  });
}
