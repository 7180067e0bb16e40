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
   * The version to which the project can be restored. Kept now, unless the key has changed the project within an hour, and the version of
   * that work is still there.
   *
   * @throws {RefusedError} if it cannot be kept: then nothing may be changed
   */
  async before(api: MapsApi, project: string): Promise<KeptVersion> {
    const now = this.#clock();
    this.#forget(now);
    const name = nameOf(api, project);
    const known = this.#works.get(name);
    if (known !== undefined && (await isThere(api, project, known.version))) return await known.version;
    const newer = this.#works.get(name);
    // Another change has found the same meanwhile.
    const work = newer === undefined || newer === known ? { lastMs: now, version: keep(api, project) } : newer;
    this.#works.delete(name);
    this.#works.set(name, work);
    return await work.version;
  }

  /** Notes that the project was changed: the work goes on. */
  changed(api: MapsApi, project: string): void {
    const name = nameOf(api, project);
    const work = this.#works.get(name);
    if (work === undefined) return;
    work.lastMs = this.#clock();
    this.#works.delete(name);
    this.#works.set(name, work);
  }

  #forget(now: number): void {
    for (const [name, { lastMs }] of this.#works) {
      if (now - lastMs >= 0 && now - lastMs < workMs) return;
      this.#works.delete(name);
    }
  }
}

const nameOf = ({ caller }: MapsApi, project: string): string => `${caller}\n${project}`;

/** False for a version that was deleted, or that could not be kept. */
async function isThere(api: MapsApi, project: string, version: Promise<KeptVersion>): Promise<boolean> {
  try {
    const { id } = await version;
    const query = { id, fields: 'id', limit: '1' };
    return (await api.get<readonly unknown[]>(projectPath(project, '/versions'), query)).length > 0;
  } catch {
    return false;
  }
}

async function keep(api: MapsApi, project: string): Promise<KeptVersion> {
  const { key } = await api.get<{ readonly key: { readonly id: string; readonly label: string } | null }>('/me');
  const label = [...(key?.label || key?.id || 'of this program')].slice(0, labelLengthMax).join('');
  try {
    return await api.send<KeptVersion>('POST', projectPath(project, '/versions'), { name: `before agent ${label}` }, fields);
  } catch (error) {
    if (!(error instanceof RefusedError) || error.refusal.status === 404) throw error;
    const detail = 'Nothing was changed, because the state before the change could not be kept as a version.';
    throw new RefusedError({ ...error.refusal, detail });
  }
}

const fields = { query: { fields: 'name' } };
