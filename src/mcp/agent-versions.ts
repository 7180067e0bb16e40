/**
 * The way back from what an agent does: before the first change that a key makes to a project, after an hour without one, the project is kept
 * as a named version, which nothing deletes by itself.
 */
import { type MapsApi, projectPath, RefusedError } from './maps-api.ts';

/** A version, as results name it. */
export interface KeptVersion {
  readonly id: string;
  readonly name: string;
}

interface Work {
  /** Time of the last change, in milliseconds. */
  lastMs: number;
  readonly version: Promise<KeptVersion>;
}

/** Without a change for so long, the work of an agent is over. */
const workMs = 3_600_000;
/** Characters of a label in the name of a version. */
const labelLengthMax = 100;

export class AgentVersions {
  readonly #clock: () => number;
  /** By account or key, and project. The work that was not touched for the longest time comes first. */
  readonly #works = new Map<string, Work>();

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  /**
   * The version to which the project can be restored. Kept now, unless the key has changed the project within an hour.
   *
   * @throws {RefusedError} if it cannot be kept: then nothing may be changed
   */
  async before(api: MapsApi, project: string): Promise<KeptVersion> {
    const now = this.#clock();
    this.#forget(now);
    const name = `${api.caller}\n${project}`;
    const work = this.#works.get(name) ?? { lastMs: now, version: keep(api, project) };
    work.lastMs = now;
    this.#works.delete(name);
    this.#works.set(name, work);
    try {
      return await work.version;
    } catch (error) {
      if (this.#works.get(name) === work) this.#works.delete(name);
      throw error;
    }
  }

  #forget(now: number): void {
    for (const [name, { lastMs }] of this.#works) {
      if (now - lastMs >= 0 && now - lastMs < workMs) return;
      this.#works.delete(name);
    }
  }
}

async function keep(api: MapsApi, project: string): Promise<KeptVersion> {
  const { key } = await api.get<{ readonly key: { readonly id: string; readonly label: string } | null }>('/me');
  const label = [...(key?.label || key?.id || 'of this program')].slice(0, labelLengthMax).join('');
  try {
    return await api.send<KeptVersion>('POST', projectPath(project, '/versions'), { name: `before agent ${label}` }, fields);
  } catch (error) {
    if (!(error instanceof RefusedError) || error.refusal.status === 404) throw error;
    const { refusal } = error;
    const detail = `Nothing was changed, because the state before the change could not be kept as a version. ${refusal.detail}`;
    throw new RefusedError({ ...refusal, detail });
  }
}

const fields = { query: { fields: 'name' } };
