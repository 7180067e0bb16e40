/**
 * All that a key can read: every address with something behind it, and the answer. Two servers hold the same exactly if these are the
 * same, byte for byte.
 */

/** Answers a GET of a path below the version prefix. */
export type Get = (route: string) => Promise<{ readonly status: number; readonly text: string }>;

type Named = { readonly id: string };

/** @param pick of the members of one collection, those that are also asked for one by one; by default all */
export async function everything(get: Get, pick = (members: readonly Named[]) => members): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  const read = async (route: string): Promise<readonly Named[]> => {
    const { status, text } = await get(route);
    if (status !== 200) throw new Error(`GET ${route}: ${status} ${text.slice(0, 200)}`);
    seen.set(route, text);
    return JSON.parse(text);
  };
  const collection = async (route: string): Promise<readonly Named[]> => {
    const members = await read(route);
    for (const { id } of pick(members)) await read(`${route}/${id}`);
    if (members.length > 1) await read(`${route}?limit=1`);
    return members;
  };
  for (const { id } of await read('/projects')) {
    const project = `/projects/${id}`;
    await read(project);
    for (const name of ['popups', 'data-sources', 'variables', 'actions']) await collection(`${project}/${name}`);
    for (const artboard of await collection(`${project}/artboards`)) {
      const objects = `${project}/artboards/${artboard.id}/objects`;
      await collection(objects);
      await read(`${objects}?limit=100&fields=name,coords`);
    }
  }
  return seen;
}

/** Where two readings differ: addresses that are only in one, or whose bytes are not the same. */
export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const routes = new Set([...before.keys(), ...after.keys()]);
  return [...routes].filter((route) => before.get(route) !== after.get(route));
}
