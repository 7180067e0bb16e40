/** `find`: projects by name; objects and popups of a project by text, category and field. */
import Type, { type Static } from 'typebox';
import { closed, type ToolResult, tool } from '../agent-tool.ts';
import { artboardsOf, type Item, listPath } from '../collections.ts';
import { type MapsApi, wrongArgument } from '../maps-api.ts';

const limits = { most: 100, usual: 20 } as const;
/** Members that are read at a time, and how many pages one call reads. */
const pageItems = 1000;
const pagesMax = 50;

const input = Type.Object(
  {
    project: Type.Optional(Type.String({ description: 'Identifier of a project. Without it, projects are found' })),
    text: Type.Optional(
      Type.String({
        description:
          'Part of a name; in a project also of a key, a category, a property or the title of a popup. Capitals do not matter',
      }),
    ),
    artboard: Type.Optional(Type.String({ description: 'Only objects of this artboard' })),
    category: Type.Optional(Type.String({ description: 'Only objects of exactly this category' })),
    field: Type.Optional(Type.String({ description: 'Only objects with this property' })),
    value: Type.Optional(Type.String({ description: 'Its exact value, as text' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.most, description: `Default ${limits.usual}` })),
    cursor: Type.Optional(Type.String({ description: '"next" of the result before' })),
  },
  closed,
);

type Args = Static<typeof input>;

export const find = tool({
  name: 'find',
  title: 'Find projects and objects',
  description:
    'Begin here. Lists the projects that the key reaches, or finds objects and popups of one project. Gives identifiers and names; read gives the rest. More results: call again with "next" as cursor.',
  needs: 'read',
  effect: 'reads',
  input,
  run: ({ api }, args) => (args.project === undefined ? findProjects(api, args) : findInProject(api, args, args.project)),
});

/** Where a search goes on: the page of a list, and how many of its items were looked at. */
interface Position {
  readonly list: string;
  readonly page: string | undefined;
  readonly skip: number;
}

const positionOf = (cursor: string | undefined): Position | undefined => {
  if (cursor === undefined) return undefined;
  try {
    const [list, page, skip] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string, string | null, number];
    if (typeof list !== 'string' || !Number.isInteger(skip) || skip < 0) throw new TypeError('another form');
    return { list, page: page ?? undefined, skip };
  } catch {
    throw wrongArgument('cursor', 'is none that find has given. Leave it out to begin anew.');
  }
};

const cursorOf = ({ list, page, skip }: Position): string =>
  Buffer.from(JSON.stringify([list, page ?? null, skip])).toString('base64url');

/** One of the lists that are searched, in their order. */
interface Searched {
  readonly name: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The entry of an item in the result; `undefined` if it does not match. */
  shown(item: Item): Readonly<Record<string, unknown>> | undefined;
}

/** Looks through lists, from a position on, until enough items match. */
async function search(api: MapsApi, lists: readonly Searched[], { cursor, limit = limits.usual }: Args): Promise<ToolResult> {
  const from = positionOf(cursor);
  let at = from === undefined ? 0 : lists.findIndex(({ name }) => name === from.list);
  if (at === -1) throw wrongArgument('cursor', 'belongs to a list that is gone. Leave it out to begin anew.');
  let { page, skip } = from ?? { page: undefined, skip: 0 };
  const matches: unknown[] = [];
  for (let pages = 0; at < lists.length; pages++) {
    const list = lists[at] as Searched;
    if (pages === pagesMax) return found(matches, cursorOf({ list: list.name, page, skip }));
    const { items, next } = await api.page<Item>(list.path, { ...list.query, limit: `${pageItems}`, cursor: page });
    for (const [i, item] of items.entries()) {
      if (i < skip) continue;
      const shown = list.shown(item);
      if (shown === undefined) continue;
      if (matches.length === limit) return found(matches, cursorOf({ list: list.name, page, skip: i }));
      matches.push(shown);
    }
    page = next;
    skip = 0;
    if (next === undefined) at++;
  }
  return found(matches, undefined);
}

const found = (matches: readonly unknown[], next: string | undefined): ToolResult => ({
  structured: { data: matches, ...(next === undefined ? {} : { next }) },
});

const folded = (text: unknown): string => String(text ?? '').toLowerCase();

function findProjects(api: MapsApi, args: Args): Promise<ToolResult> {
  const other = (['artboard', 'category', 'field', 'value'] as const).find((name) => args[name] !== undefined);
  if (other !== undefined) throw wrongArgument(other, 'needs the argument "project".');
  const wanted = folded(args.text);
  const projects: Searched = {
    name: 'projects',
    path: '/projects',
    query: { fields: 'name,created' },
    shown: ({ id, name, created }) => (folded(name).includes(wanted) ? { kind: 'project', id, name, created } : undefined),
  };
  return search(api, [projects], args);
}

async function findInProject(api: MapsApi, args: Args, project: string): Promise<ToolResult> {
  const { text, artboard, category, field, value } = args;
  if (value !== undefined && field === undefined) throw wrongArgument('value', 'needs the argument "field".');
  const artboards = (await artboardsOf(api, project)).filter(({ id }) => artboard === undefined || id === artboard);
  if (artboard !== undefined && artboards.length === 0) throw wrongArgument('artboard', 'names no artboard of the project.');
  const objects = artboards.map(
    ({ id }): Searched => ({
      name: id,
      path: listPath(project, 'object', id),
      query: { fields: 'name,type,key,category,properties', category },
      shown: (object) => (isWanted(object, args) ? shownObject(object, id) : undefined),
    }),
  );
  const popups: Searched = {
    name: 'popups',
    path: listPath(project, 'popup'),
    query: { fields: 'title,attachedTo' },
    shown: ({ id, title, attachedTo }) =>
      folded(title).includes(folded(text)) ? { kind: 'popup', id, title, object: attachedTo } : undefined,
  };
  const withPopups = text !== undefined && [artboard, category, field].every((each) => each === undefined);
  return await search(api, [...objects, ...(withPopups ? [popups] : [])], args);
}

function isWanted(object: Item, { text, field, value }: Args): boolean {
  const properties = (object['properties'] ?? {}) as Readonly<Record<string, unknown>>;
  if (field !== undefined && !Object.hasOwn(properties, field)) return false;
  if (field !== undefined && value !== undefined && String(properties[field]) !== value) return false;
  if (text === undefined) return true;
  const texts = [object['name'], object['key'], object['category'], ...Object.values(properties)];
  return texts.some((each) => folded(each).includes(folded(text)));
}

const shownObject = ({ id, name, type, key, category }: Item, artboard: string) => ({
  ...{ kind: 'object', id, artboard, name, type },
  ...(key ? { key } : {}),
  ...(category ? { category } : {}),
});
