/** Whether publishing a project now would change what is public: not every change of a project does, and an undone one does not. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { runCooperatively } from '../../lib/async/cooperative.ts';
import { newestVersion, type Publication } from '../../store/stored-publication.ts';

/** The answer for one version of a project. */
interface Answer {
  readonly projectVersion: number;
  readonly changed: boolean;
}

/** The last answer for each publication: a large map is written once for each version of its project. */
const answers = new WeakMap<Publication, Answer>();

/** What publishing would store, at one version of the project. */
interface PublicContent {
  /** The JSON of the map. */
  readonly json: Iterable<string | Buffer>;
  /** The JSON of the rules; only read for a live map. */
  readonly rules: Iterable<string | Buffer>;
}

/**
 * Whether the map of a publication, or the rules of a live one, differ from those that the project has.
 *
 * @param now captures the version of the project when it is called, before anything is awaited
 */
export async function changedSince(publication: Publication, projectVersion: number, now: () => PublicContent): Promise<boolean> {
  if (publication.projectVersion === projectVersion) return false;
  const known = answers.get(publication);
  if (known?.projectVersion === projectVersion) return known.changed;
  const { json, rules } = now();
  const { live } = publication;
  const changed =
    (await digestOf(json)) !== newestVersion(publication).digest ||
    (live !== undefined && (await digestOf(rules)) !== sha256().update(gunzipSync(live.rules)).digest('hex'));
  answers.set(publication, { projectVersion, changed });
  return changed;
}

const sha256 = () => createHash('sha256');

/** SHA-256 of a text, 64 hex digits, made between other requests. */
async function digestOf(text: Iterable<string | Buffer>): Promise<string> {
  const hash = sha256();
  await runCooperatively(hashing());
  return hash.digest('hex');

  function* hashing(): Generator<void, void> {
    for (const piece of text) {
      hash.update(piece);
      yield;
    }
  }
}
