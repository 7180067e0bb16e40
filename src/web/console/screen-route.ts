/** The screens of the console and their addresses. They are in the fragment, so one page serves them all. A one-time code may precede them. */

export type Route =
  | { readonly screen: 'cards' }
  | { readonly screen: 'editor'; readonly project: string; readonly panel?: 'publish' | 'conflicts'; readonly selected?: string };

const pattern = /^#(?:code=[A-Za-z0-9_-]{1,100})?\/p\/([^/]+)(?:\/(publish|conflicts|r\/([^/]+)))?$/;

/** The screen of a fragment: `#/p/PROJECT/r/RESOURCE`. An unknown one is the list of projects. */
export function routeOf(hash: string): Route {
  const [, project, rest, selected] = pattern.exec(hash) ?? [];
  if (project === undefined) return { screen: 'cards' };
  const id = decoded(project);
  if (id === undefined) return { screen: 'cards' };
  if (rest === 'publish' || rest === 'conflicts') return { screen: 'editor', project: id, panel: rest };
  const chosen = selected === undefined ? undefined : decoded(selected);
  return chosen === undefined ? { screen: 'editor', project: id } : { screen: 'editor', project: id, selected: chosen };
}

export function hashOf(route: Route): string {
  if (route.screen === 'cards') return '#/';
  const at = `#/p/${encodeURIComponent(route.project)}`;
  if (route.panel !== undefined) return `${at}/${route.panel}`;
  return route.selected === undefined ? at : `${at}/r/${encodeURIComponent(route.selected)}`;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
