/** The icons of Maki and Temaki, and the words by which people find them. The server sends each as one file. */
import { serverRoot } from '../server/server-root.ts';

/** A picture of paths in a square. */
export interface SetIcon {
  readonly path: string;
  /** Length of a side of the square. */
  readonly size: number;
}

const files = new Map<string, Promise<unknown>>();

/** Fetches a file once for the page. After a failure, the next call asks again. */
function load<Value>(name: string): Promise<Readonly<Record<string, Value>>> {
  let file = files.get(name);
  if (file === undefined) {
    file = fetch(`${serverRoot()}console/${name}.json`, { credentials: 'omit' })
      .then((response) => {
        if (!response.ok) throw new Error(`${response.status} for ${name}`);
        return response.json();
      })
      .catch((error: unknown) => {
        files.delete(name);
        throw error;
      });
    files.set(name, file);
  }
  return file as Promise<Readonly<Record<string, Value>>>;
}

/** The icons of both sets by their names, such as `maki:toilet`. */
export const loadSets = (): Promise<Readonly<Record<string, SetIcon>>> => load('icons');

/** Names in OpenStreetMap of the things that have an icon, in English and German, in lower case, by the name of the icon. */
export const loadWords = (): Promise<Readonly<Record<string, string>>> => load('icon-words');
