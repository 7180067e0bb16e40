/**
 * A client with a project of its own, which uploads files, deletes them, keeps versions, restores and deletes those, one request after the
 * other. It knows the state after each acknowledged request; of the request that broke off, it knows both states that may be there.
 */
import { createHash } from 'node:crypto';
import { png } from '../api/pictures.ts';
import type { Asked, Json } from '../support/client.ts';
import { must } from '../support/process.ts';
import type { Random } from '../support/random.ts';
import { hold } from './fault.ts';

/** The bytes of each file, by its public address. */
type Pictures = ReadonlyMap<string, { readonly id: string; readonly bytes: Buffer }>;

/** A project at one moment. */
interface Moment {
  readonly name: string;
  readonly files: Pictures;
}

/** A project with its versions, by identifier. */
interface Known extends Moment {
  readonly versions: ReadonlyMap<string, Moment>;
}

/** What a request does, once it is known what it has made. */
interface Step {
  send(server: Asked): Promise<Json>;
  /** @param made identifier of the version, or the file, that is new now */
  after(known: Known, made: Made): Known;
}

interface Made {
  readonly version: string;
  readonly file: { readonly url: string; readonly id: string };
}

const filesMax = 12;
const versionsMax = 12;

export class FileClient {
  readonly #random: Random;
  readonly #at: string;
  #known: Known;
  /** The request that broke off. */
  #unsure: Step | undefined;
  #count = 0;
  /** Acknowledged requests. */
  acknowledged = 0;

  private constructor(id: string, random: Random) {
    this.#at = `/projects/${id}`;
    this.#random = random;
    this.#known = { name: '0', files: new Map(), versions: new Map() };
  }

  static async on(server: Asked, random: Random): Promise<FileClient> {
    const { id } = await must(server, 'POST', '/projects', { name: '0' });
    return new FileClient(id, random);
  }

  /** Works until a request breaks off, or `isOver` says so. */
  async work(server: Asked, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const step = this.#next();
      this.#unsure = step;
      let before: Json[];
      try {
        before = await this.#shown(server);
        await step.send(server);
        await this.#learn(server, step, before);
      } catch (error) {
        if (!isBroken(error)) throw error;
        return;
      }
      this.#unsure = undefined;
      this.acknowledged++;
    }
  }

  /** Compares everything after a start. */
  async compare(server: Asked): Promise<void> {
    const step = this.#unsure;
    this.#unsure = undefined;
    if (step !== undefined) await this.#learn(server, step, undefined);
    const { name, files, versions } = this.#known;
    hold((await must(server, 'GET', this.#at)).name === name, `the project is named ${name}`);
    await this.#compareFiles(server, files);
    for (const [id, moment] of versions) {
      const at = `${this.#at}/versions/${id}`;
      hold((await must(server, 'GET', at)).name === moment.name, `version ${id} has the name ${moment.name}`);
      for (const file of moment.files.values()) await isServed(server, `/v1${at}/files/${file.id}`, file.bytes);
    }
  }

  /** Digests of all blobs that the project needs. */
  async digests(server: Asked): Promise<string[]> {
    const digests = [...this.#known.files.values()].map(({ bytes }) => digestOf(bytes));
    for (const [id, { files }] of this.#known.versions) {
      const { headers } = await fetched(server, `/v1${this.#at}/versions/${id}`);
      digests.push(String(headers.get('etag')).slice(1, 65), ...[...files.values()].map(({ bytes }) => digestOf(bytes)));
    }
    return digests;
  }

  async #compareFiles(server: Asked, files: Pictures): Promise<void> {
    const listed = (await must(server, 'GET', `${this.#at}/files`)) as { url: string }[];
    const urls = listed.map(({ url }) => url).sort();
    hold(urls.join() === [...files.keys()].sort().join(), `the files are those that were acknowledged: ${urls.join()}`);
    for (const [url, { bytes }] of files) await isServed(server, url, bytes);
  }

  #next(): Step {
    const { files, versions } = this.#known;
    const version = [...versions.keys()][this.#random(versions.size + 1)];
    const url = [...files.keys()][this.#random(files.size + 1)];
    const chance = this.#random(10);
    if (versions.size > versionsMax || (chance === 0 && version !== undefined))
      return this.#deleteVersion(version ?? ([...versions.keys()][0] as string));
    if (chance <= 2 && version !== undefined) return this.#restore(version);
    if (chance <= 4) return this.#keep();
    if (files.size > filesMax || (chance === 5 && url !== undefined))
      return this.#deleteFile(url ?? ([...files.keys()][0] as string));
    return chance === 6 ? this.#rename() : this.#upload();
  }

  #upload(): Step {
    const bytes = png(3, 2, `${this.#at} ${this.#count++} `.repeat(1 + this.#random(4000)));
    return {
      send: async (server) => {
        const headers = { authorization: `Bearer ${server.key}` };
        const body = new Uint8Array(bytes);
        const sent = await fetch(`${server.url}/v1${this.#at}/files?name=a.png`, { method: 'POST', headers, body });
        if (sent.status !== 200) throw new Error(`an upload gets ${sent.status}`);
      },
      after: (known, { file }) => ({ ...known, files: new Map([...known.files, [file.url, { id: file.id, bytes }]]) }),
    };
  }

  #deleteFile(url: string): Step {
    const { id } = this.#known.files.get(url) as { id: string };
    return {
      send: (server) => must(server, 'DELETE', `${this.#at}/files/${id}`),
      after: (known) => ({ ...known, files: without(known.files, url) }),
    };
  }

  #rename(): Step {
    const name = `${this.#count++}`;
    return { send: (server) => must(server, 'PATCH', this.#at, { name }), after: (known) => ({ ...known, name }) };
  }

  #keep(): Step {
    return {
      send: (server) => must(server, 'POST', `${this.#at}/versions`, {}),
      after: (known, { version }) => ({ ...known, versions: new Map([...known.versions, [version, known]]) }),
    };
  }

  #restore(id: string): Step {
    return {
      send: (server) => must(server, 'POST', `${this.#at}/versions/${id}/restore`, {}),
      after: (known, { version }) => {
        const { name, files } = known.versions.get(id) as Moment;
        return { name, files, versions: new Map([...known.versions, [version, known]]) };
      },
    };
  }

  #deleteVersion(id: string): Step {
    return {
      send: (server) => must(server, 'DELETE', `${this.#at}/versions/${id}`),
      after: (known) => ({ ...known, versions: without(known.versions, id) }),
    };
  }

  /** Names, addresses and identifiers that the server shows: equal texts are equal states. */
  async #shown(server: Asked): Promise<[string, { url: string; id: string }[], string[]]> {
    const { name } = await must(server, 'GET', this.#at);
    const files = (await must(server, 'GET', `${this.#at}/files`)) as { url: string; id: string }[];
    const versions = (await must(server, 'GET', `${this.#at}/versions`)) as { id: string; kind: string }[];
    return [name, files, versions.filter(({ kind }) => kind !== 'automatic').map(({ id }) => id)];
  }

  /** Learns what a step has made. @param before `undefined` if it is not known whether the step was done */
  async #learn(server: Asked, step: Step, before: Json[] | undefined): Promise<void> {
    const known = this.#known;
    const [name, files, versions] = await this.#shown(server);
    const version = versions.find((id) => !known.versions.has(id)) ?? '';
    const file = files.find(({ url }) => !known.files.has(url)) ?? { url: '', id: '' };
    const text = (moment: Known): string =>
      JSON.stringify([moment.name, [...moment.files.keys()].sort(), [...moment.versions.keys()].sort()]);
    const found = JSON.stringify([name, files.map(({ url }) => url).sort(), [...versions].sort()]);
    const after = step.after(known, { version, file });
    if (found === text(after)) this.#known = after;
    else
      hold(
        before === undefined && found === text(known),
        `a request is done or not: ${found}, not ${text(after)} or ${text(known)}`,
      );
  }
}

/** Whether a request broke off with its server, and did not fail. */
function isBroken(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: string; readonly cause?: unknown };
  return code !== undefined || cause !== undefined;
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  return new Map([...map].filter(([name]) => name !== key));
}

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const fetched = ({ url, key }: Asked, route: string): Promise<Response> =>
  fetch(url + route, { headers: { authorization: `Bearer ${key}` } });

async function isServed(server: Asked, route: string, bytes: Buffer): Promise<void> {
  const response = await fetched(server, route);
  const body = Buffer.from(await response.arrayBuffer());
  hold(response.status === 200 && body.equals(bytes), `${route} has its ${bytes.length} bytes (status ${response.status})`);
}
