/** The screens of the console and their addresses. They are in the fragment, so one page serves them all. A one-time code may precede them. */

export type Route =
  /** `folder`: the only one whose projects are shown. */
  | { readonly screen: 'cards'; readonly folder?: string }
  | {
      readonly screen: 'editor';
      readonly project: string;
      /** On the map; without it, the first one. */
      readonly artboard?: string | undefined;
      readonly panel?: PanelName;
      readonly selected?: string;
      readonly version?: VersionRoute;
    };

/** Shows a screen. @param replace without a new entry in the history */
export type Go = (to: Route, options?: { readonly replace?: boolean }) => void;

/** A page above the editor. */
const panelNames = ['publish', 'map-settings', 'table', 'conflicts', 'history'] as const;
export type PanelName = (typeof panelNames)[number];

/** A version that is shown instead of the editor, alone or compared with the project as it is. */
export interface VersionRoute {
  readonly id: string;
  readonly isCompared: boolean;
}

const pattern =
  /^#(?:code=[A-Za-z0-9_-]{1,100})?\/p\/([^/]+)(?:\/a\/([^/]+))?(?:\/(publish|map-settings|table|conflicts|history|r\/([^/]+)|v\/([^/]+?)(\/changes)?))?$/;

/**
 * The screen of a fragment: `#/p/PROJECT/a/ARTBOARD`, `#/p/PROJECT/r/RESOURCE`, `#/p/PROJECT/v/VERSION/changes`, `#/f/FOLDER/FOLDER`. An unknown
 * one is the list of projects.
 */
export function routeOf(hash: string): Route {
  const [, project, named, rest, selected, version, changes] = pattern.exec(hash) ?? [];
  if (project === undefined) {
    const folder = hash.startsWith('#/f/') ? decoded(hash.slice(4)) : undefined;
    return folder ? { screen: 'cards', folder } : { screen: 'cards' };
  }
  const id = decoded(project);
  if (id === undefined) return { screen: 'cards' };
  const artboard = named === undefined ? undefined : decoded(named);
  const at: Route = { screen: 'editor', project: id, ...(artboard === undefined ? {} : { artboard }) };
  const panel = panelNames.find((name) => name === rest);
  if (panel !== undefined) return { ...at, panel };
  const versionId = version === undefined ? undefined : decoded(version);
  if (versionId !== undefined) return { ...at, version: { id: versionId, isCompared: changes !== undefined } };
  const chosen = selected === undefined ? undefined : decoded(selected);
  return chosen === undefined ? at : { ...at, selected: chosen };
}

export function hashOf(route: Route): string {
  if (route.screen === 'cards')
    return route.folder === undefined ? '#/' : `#/f/${route.folder.split('/').map(encodeURIComponent).join('/')}`;
  const artboard = route.artboard === undefined ? '' : `/a/${encodeURIComponent(route.artboard)}`;
  const at = `#/p/${encodeURIComponent(route.project)}${artboard}`;
  if (route.panel !== undefined) return `${at}/${route.panel}`;
  if (route.version !== undefined)
    return `${at}/v/${encodeURIComponent(route.version.id)}${route.version.isCompared ? '/changes' : ''}`;
  return route.selected === undefined ? at : `${at}/r/${encodeURIComponent(route.selected)}`;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
