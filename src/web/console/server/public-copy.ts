/** The newest published version of a map, as visitors get it. */
import { type MapDocument, readMap } from '../../viewer/drawing/map-document.ts';
import { serverRoot } from './server-root.ts';

/** Rejects if the map cannot be loaded, or is none. */
export async function readPublicMap(slug: string): Promise<MapDocument> {
  const root = new URL(`p/${slug}/`, serverRoot());
  const read = async (name: string): Promise<unknown> => {
    const answer = await fetch(new URL(name, root), { credentials: 'omit' });
    if (!answer.ok) throw new Error(`the public map answered ${answer.status}`);
    return await answer.json();
  };
  const { map } = (await read('map.json')) as { readonly map: string };
  return readMap(await read(map));
}
