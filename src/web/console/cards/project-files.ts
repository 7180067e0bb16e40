/** Exported projects in files of the user: one document, or a list of several. */
import type { ProjectDocument } from '../../client/client.ts';
import { saveFile } from '../../viewer/element/dom.ts';

/** Documents that are read at most, in bytes; the server has its own limit. */
const importBytesMax = 512 * 1024 * 1024;
/** A file with several documents that has this size is not continued: all its text fits into the memory of an import. */
const listBytes = 128 * 1024 * 1024;

/** Saves documents in one file, because browsers drop downloads that follow each other too fast; in further ones if it would be too large. */
export class ProjectFiles {
  readonly #name: string;
  #documents: Blob[] = [];
  #bytes = 0;
  #files = 0;

  /** @param name of the file, without its extension */
  constructor(name: string) {
    this.#name =
      name
        .replaceAll('/', ' - ')
        .replaceAll(/[^\p{L}\p{N} ._-]/gu, '')
        .trim() || 'project';
  }

  add(document: Blob): void {
    if (this.#bytes > 0 && this.#bytes + document.size > listBytes) this.save();
    this.#documents.push(document);
    this.#bytes += document.size;
  }

  /** Saves what is not saved yet. */
  save(): void {
    const documents = this.#documents;
    if (documents.length === 0) return;
    this.#files++;
    [this.#documents, this.#bytes] = [[], 0];
    const lines = documents.flatMap((document, at) => [at === 0 ? '[\n' : ',\n', document]);
    const file = documents.length === 1 ? (documents[0] as Blob) : new Blob([...lines, '\n]\n']);
    saveFile(file, `${this.#name}${this.#files === 1 ? '' : ` ${this.#files}`}.mapwright.json`);
  }
}

/** The exported projects in a file; `undefined` for any other file. */
export async function exportedIn(file: File): Promise<readonly ProjectDocument[] | undefined> {
  if (file.size > importBytesMax || !/^\s*[{[]/.test(await file.slice(0, 100).text())) return undefined;
  const parsed = [parseJson(await file.text())].flat();
  const isDocument = (each: unknown) => typeof each === 'object' && each !== null && 'format' in each;
  return parsed.length > 0 && parsed.every(isDocument) ? (parsed as ProjectDocument[]) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
