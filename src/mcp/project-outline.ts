/** The parts of a project in about a page: an agent begins to read here. */
import { type Item, type Kind, listPath } from './collections.ts';
import { type MapsApi, projectPath } from './maps-api.ts';

/** Members of a list that the outline names. */
const namedMax = 50;

const artboardFields = 'name,type,width,height,osm_lat,osm_lng,osm_zoom';

export async function outlineOf(api: MapsApi, project: string): Promise<Readonly<Record<string, unknown>>> {
  const head = await api.get<{ readonly name: string; readonly created: string; readonly settings: unknown }>(
    projectPath(project),
    { fields: 'name,created,settings' },
  );
  const publication = await api.find<Readonly<Record<string, unknown>>>(projectPath(project, '/publication'), {
    fields: 'url,name,version,published,stale,refresh',
  });
  return {
    id: project,
    name: head.name,
    created: head.created,
    ...publicMapIn(head.settings),
    artboards: await artboardsWithCounts(api, project),
    popups: await api.count(listPath(project, 'popup')),
    data_sources: await named(api, project, 'data_source', 'name'),
    variables: await named(api, project, 'variable', 'name,type'),
    actions: await named(api, project, 'action', 'name,type'),
    versions: await api.count(projectPath(project, '/versions')),
    publication: publication ?? null,
  };
}

async function artboardsWithCounts(api: MapsApi, project: string): Promise<readonly unknown[]> {
  const { items } = await api.page<Item>(listPath(project, 'artboard'), { fields: artboardFields, limit: `${namedMax}` });
  return await Promise.all(
    items.map(async (artboard) => {
      const { type, osm_lat, osm_lng, osm_zoom, ...others } = artboard;
      const map = type === 'osm' ? { osm_lat, osm_lng, osm_zoom } : {};
      return { ...others, type, ...map, objects: await api.count(listPath(project, 'object', artboard.id)) };
    }),
  );
}

/** The first members of a list by name, or their number if there are more. */
async function named(api: MapsApi, project: string, kind: Kind, fields: string): Promise<unknown> {
  const { items, next } = await api.page<Item>(listPath(project, kind), { fields, limit: `${namedMax}` });
  return next === undefined ? items : { count: await api.count(listPath(project, kind)), first: items };
}

/** Names of categories and fields that visitors see. */
function publicMapIn(settings: unknown): Readonly<Record<string, unknown>> {
  const { public_map: map } = (settings ?? {}) as { readonly public_map?: Readonly<Record<string, unknown>> };
  const namesOf = (list: unknown): readonly unknown[] =>
    Array.isArray(list) ? list.slice(0, namedMax).map((each) => (each as { readonly name?: unknown }).name) : [];
  if (map === undefined || typeof map !== 'object') return {};
  return { categories: namesOf(map['categories']), fields: namesOf(map['fields']) };
}
