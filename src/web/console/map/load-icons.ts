/** The icons of both sets, which the server sends as one file. */
import { serverRoot } from '../server/server-root.ts';
import { type MapIcon, readIcons } from './drawing-module.ts';

let loaded: Promise<ReadonlyMap<string, MapIcon>> | undefined;

/** Fetches them once for all maps of the page. After a failure, the next call asks again. */
export function loadIcons(): Promise<ReadonlyMap<string, MapIcon>> {
  loaded ??= fetch(`${serverRoot()}console/icons.json`, { credentials: 'omit' })
    .then((response) => {
      if (!response.ok) throw new Error(`${response.status} for the icons`);
      return response.json();
    })
    .then(readIcons)
    .catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
  return loaded;
}
