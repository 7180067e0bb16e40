/** `read`: the outline of a project, a list of what is in it, or resources with all of their members. */
import Type, { type Static } from 'typebox';
import { closed, project, type ToolResult, tool } from '../agent-tool.ts';
import { artboardsOf, type Item, type Kind, kinds, listPath, withoutDefaults } from '../collections.ts';
import { documentNames, sectionOf } from '../documents.ts';
import { fitting, resultBytes } from '../fit.ts';
import { type MapsApi, projectPath, wrongArgument } from '../maps-api.ts';
import { outlineOf } from '../project-outline.ts';

const idsMax = 50;
const pageItems = 200;

const input = Type.Object(
  {
    project: Type.Optional(project),
    ids: Type.Optional(Type.Array(Type.String(), { maxItems: idsMax, description: 'Identifiers of resources, of any kind' })),
    kind: Type.Optional(Type.Enum([...kinds, 'settings'], { description: 'All of this kind, or the settings of the project' })),
    artboard: Type.Optional(Type.String({ description: 'With kind "object": the artboard whose objects are read' })),
    document: Type.Optional(
      Type.Enum(documentNames, { description: 'Instead of a project: the sections of a document about mapwright' }),
    ),
    section: Type.Optional(Type.String({ description: 'With document: the heading of the section to read' })),
    cursor: Type.Optional(Type.String({ description: '"next" of the result before' })),
    max_bytes: Type.Optional(
      Type.Integer({
        ...{ minimum: 1000, maximum: resultBytes.most },
        description: `Size of the result; default ${resultBytes.usual}. Longer texts and lists are cut, and named in "cut"`,
      }),
    ),
  },
  closed,
);

type Args = Static<typeof input>;

export const read = tool({
  name: 'read',
  title: 'Read a project',
  description:
    'Without ids and kind: the outline of a project, with its artboards, categories, counts and publication. With ids or kind: resources, with the members that differ from their defaults. With document: how live data, the API and the viewer work.',
  needs: 'read',
  effect: 'reads',
  input,
  async run({ api }, args): Promise<ToolResult> {
    const { project: id, ids, kind, document, section, max_bytes: bytesMax = resultBytes.usual } = args;
    if (document !== undefined) return { structured: { data: null, document: await sectionOf(document, section) } };
    if (id === undefined) throw wrongArgument('project', 'must be given, or "document" instead.');
    if (ids !== undefined) return withIds(api, id, ids, bytesMax);
    if (kind === undefined) return { structured: { data: await outlineOf(api, id) } };
    if (kind === 'settings') {
      const { settings } = await api.get<{ readonly settings: unknown }>(projectPath(id), { fields: 'settings' });
      return { structured: { data: fitting([settings], bytesMax)[0] } };
    }
    return await listOf(api, id, args, kind, bytesMax);
  },
});

async function listOf(api: MapsApi, id: string, { artboard, cursor }: Args, kind: Kind, bytesMax: number): Promise<ToolResult> {
  if (kind === 'object' && artboard === undefined) throw wrongArgument('artboard', 'must name the artboard of the objects.');
  const [page, skip] = placeIn(cursor);
  const path = listPath(id, kind, artboard);
  // An artboard without its objects: they are a list of their own.
  const fields = kind === 'artboard' ? { fields: artboardMembers } : {};
  const { items, next } = await api.page<Item>(path, { ...fields, limit: `${pageItems}`, cursor: page });
  const rest = items.slice(skip).map((item) => withoutDefaults(kind, item));
  const shown = fitting(rest, bytesMax);
  const isAll = shown.length === rest.length;
  if (isAll && next === undefined) return { structured: { data: shown } };
  const place = isAll ? `0:${next}` : `${skip + shown.length}:${page ?? ''}`;
  return { structured: { data: shown, next: place } };
}

const artboardMembers = 'name,type,width,height,bg_color,image_url,osm_lat,osm_lng,osm_zoom';

/** The cursor of a page, and how many of its items were shown. */
function placeIn(cursor: string | undefined): [string | undefined, number] {
  if (cursor === undefined) return [undefined, 0];
  const [, skip, page] = /^(\d{1,6}):(.*)$/s.exec(cursor) ?? [];
  if (skip === undefined) throw wrongArgument('cursor', 'is none that read has given. Leave it out to begin anew.');
  return [page === '' ? undefined : page, Number(skip)];
}

/** Resources of any kind: the lists are asked for these identifiers. */
async function withIds(api: MapsApi, id: string, ids: readonly string[], bytesMax: number): Promise<ToolResult> {
  const found = new Map<string, unknown>();
  const lists: { readonly kind: Kind; readonly path: string; readonly more?: object }[] = kinds
    .filter((kind) => kind !== 'object')
    .map((kind) => ({ kind, path: listPath(id, kind) }));
  for (const artboard of await artboardsOf(api, id))
    lists.push({ kind: 'object', path: listPath(id, 'object', artboard.id), more: { artboard: artboard.id } });
  const plain = ids.filter((each) => /^[\w-]+$/.test(each));
  for (const { kind, path, more } of lists) {
    if (plain.length === 0 || found.size === ids.length) break;
    const fields = kind === 'artboard' ? { fields: artboardMembers } : {};
    const { items } = await api.page<Item>(path, { ...fields, 'id[in]': plain.join(), limit: `${idsMax}` });
    for (const item of items) found.set(item.id, { kind, ...more, ...withoutDefaults(kind, item) });
  }
  const shown = fitting(
    ids.flatMap((each) => found.get(each) ?? []),
    bytesMax,
  );
  const missing = ids.filter((each) => !found.has(each));
  const left = found.size - shown.length;
  return {
    structured: {
      data: shown,
      ...(missing.length === 0 ? {} : { unknown_ids: missing }),
      ...(left === 0 ? {} : { advice: `${left} more of these do not fit: read the last ids again, or with a larger max_bytes.` }),
    },
  };
}
