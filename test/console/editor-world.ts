/** Editors of one project on a server, without a browser, each with a connection that the test makes slow, breaks and resumes. */
import type { Test } from 'tap';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { createClient } from '../../src/web/client/client.ts';
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
  /** Requests other than reads that were sent, refused ones included. */
  writes = 0;
  /** Reads that were sent. */
  reads = 0;
  /** Requests other than reads that have no answer yet. */
  waiting = 0;
  #slow: Deferred<void> | undefined;

  /** Requests wait until the returned function is called. */
  hold(): () => void {
    this.#slow = new Deferred();
    return () => {
      this.#slow?.resolve();
      this.#slow = undefined;
    };
  }

  /** @param port of the server, another one after a restart */
  fetchTo(port: () => number): typeof fetch {
    return async (input, init) => {
      const request = new Request(input, init);
      const isWrite = request.method !== 'GET';
      if (isWrite) this.writes++;
      else this.reads++;
      await this.#slow?.promise;
      if (this.state === 'down') throw new TypeError('fetch failed');
      const url = new URL(request.url);
      url.port = String(port());
      if (isWrite) this.waiting++;
      try {
        const response = await fetch(new Request(url, request));
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

export interface Editor {
  readonly store: ProjectStore;
  readonly edits: ProjectEdits;
  readonly line: Line;
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

/** @param names of spots, single letters; `kept`: on files, so that the server can be killed; `versions`: the server keeps them */
export async function opened(t: Test, names: string, { kept = false, versions = false } = {}): Promise<World> {
  const mapwright = await (kept ? startMapwright(t, { versions }) : startForRequests(t));
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
    editor: (canWrite = true) => openEditor(t, mapwright, made.id, artboardId, canWrite),
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

async function openEditor(
  t: Test,
  mapwright: Mapwright,
  projectId: string,
  artboardId: string,
  canWrite: boolean,
): Promise<Editor> {
  const line = new Line();
  const baseUrl = `http://127.0.0.1:${mapwright.port}`;
  const client = createClient({ baseUrl, key: mapwright.key, retry: false, fetch: line.fetchTo(() => mapwright.port) });
  const api = new ProjectApi(client, projectId);
  const store = new ProjectStore(projectId);
  const { value, version } = await api.load();
  store.load(value, version);
  const edits = new ProjectEdits(store, api, canWrite, () => undefined);
  t.teardown(() => edits.close());
  const shown = (name: string) => store.members({ kind: 'object', artboardId }).find((each) => each['name'] === name);
  const idOf = (name: string) => shown(name)?.id ?? name;
  return {
    ...{ store, edits, line, shown, idOf },
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
        onForeign: ({ id }: ResourceRef) => heard.push(`changed ${store.shown(id)?.['name']}`),
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

/** Waits until an editor shows what the server has, in its order. */
export async function agreed({ store }: Editor, { mapwright, path, artboardId }: World): Promise<void> {
  await until('the editor shows what the server has', async () => {
    const listed = (await mapwright.get(`${path}/artboards/${artboardId}/objects`)).list as readonly Shown[];
    const shown = store.members({ kind: 'object', artboardId });
    const part = ({ id, name, color, x }: Members) => ({ id, name, color, x });
    return JSON.stringify(listed.map(part)) === JSON.stringify(shown.map(part));
  });
}
