/** `import`: objects from a text in a format of other programs; without a change first. */
import Type, { type Static } from 'typebox';
import { mebibyte } from '../../lib/option-declaration.ts';
import { idSource } from '../../lib/text/ids.ts';
import type {
  ExistingObject,
  ExistingPopup,
  GivenMapping,
  ImportBatch,
  Placement,
  TargetArtboard,
} from '../../web/convert/converter.ts';
import { closed, type ToolResult, tool } from '../agent-tool.ts';
import type { KeptVersion } from '../agent-versions.ts';
import { artboardsOf, chosenArtboard, listPath } from '../collections.ts';
import type { ImportTarget, ImportTask, PlannedImport } from '../import/import-task.ts';
import { type MapsApi, projectPath, RefusedError, wrongArgument } from '../maps-api.ts';
import { undoing } from '../new-project.ts';

/** Bytes of a text. */
export const textBytesMax = 5 * mebibyte;
/** Objects of an artboard among which those of an earlier import are looked for. */
const existingMax = 50_000;
const pageItems = '1000';

const column = (description: string) => Type.Optional(Type.String({ description }));

const input = Type.Object(
  {
    text: Type.String({ description: 'CSV, GeoJSON, KML, GPX, WKT, TopoJSON or SVG, at most 5 MiB' }),
    project: Type.Optional(Type.String({ description: 'Identifier of the project that gets the objects' })),
    artboard: Type.Optional(Type.String({ description: 'Its artboard; not needed if there is only one' })),
    new_project: Type.Optional(Type.String({ description: 'Instead: name of a project to create' })),
    dry_run: Type.Optional(Type.Boolean({ description: 'Default true: says what would be done. Set false to write' })),
    columns: Type.Optional(
      Type.Object(
        {
          ...{ latitude: column('Degrees'), longitude: column('Degrees'), x: column('Pixels'), y: column('Pixels') },
          name: column('A column, or text with columns in braces: {street} {number}'),
          key: column('Finds the same objects again in the next import'),
          category: column('Its values become categories with colours'),
        },
        { ...closed, description: 'Which column is what; what is left out is recognized' },
      ),
    ),
    fields: Type.Optional(Type.Array(Type.String(), { description: 'Columns that visitors see; other columns stay private' })),
    popup_title: Type.Optional(Type.String({ description: 'With columns in braces: {name}' })),
    popup_content: Type.Optional(Type.String({ description: 'HTML with columns in braces' })),
    placement: Type.Optional(
      Type.Enum(['keep', 'centre', 'fit', 'pixels'], {
        description:
          'Where the data go. A new project gets a world map for degrees, and a plain artboard with fit or pixels; centre moves a map to the data',
      }),
    ),
    swap_axes: Type.Optional(Type.Boolean({ description: 'Exchange latitude and longitude' })),
    missing: Type.Optional(
      Type.Enum(['keep', 'delete'], { description: 'Objects with a key that the text no longer has; default keep' }),
    ),
  },
  closed,
);

type Args = Static<typeof input>;

const ids = idSource();

export const importText = tool({
  name: 'import',
  title: 'Import objects',
  description:
    'Makes objects of a text that other programs wrote. Call it first as it is: it changes nothing, and says what was recognized. With dry_run false, it writes; an import with a key updates the objects of the one before. Undo: as with change.',
  needs: 'write',
  effect: 'destroys',
  input,
  async run(context, args): Promise<ToolResult> {
    const { text, project, new_project: name, dry_run: isTrial = true } = args;
    if (Buffer.byteLength(text) > textBytesMax)
      throw wrongArgument('text', 'has more than 5 MiB. Split it, or use npx mapwright import, which takes 256 MiB.');
    if (project !== undefined && name !== undefined) throw wrongArgument('new_project', 'cannot be given with "project".');
    const target = project === undefined ? undefined : await targetOf(context.api, project, args.artboard);
    const newId = ids.next();
    const planned = await context.convert({ text, options: optionsOf(args), missing: args.missing ?? 'keep', target, newId });
    if (context.isGone()) throw new RefusedError({ status: 499, detail: 'The agent waits no longer: nothing was written.' });
    if (isTrial) return { structured: { data: { dry_run: true, ...planned.report } } };
    if (planned.isEmpty)
      throw new RefusedError({ status: 400, detail: 'The text has nothing that can be imported: nothing was written.' });
    if (project !== undefined && target !== undefined) {
      const before = await context.versions.before(context.api, project);
      await write(context.api, project, planned.batches, before);
      context.versions.changed(context.api, project);
      return { structured: { data: { project, artboard: target.id, ...doneOf(planned) }, version_before: before } };
    }
    if (name === undefined) throw wrongArgument('project', 'must be given, or "new_project" instead.');
    const made = await create(context.api, name, newId, planned);
    return { structured: { data: { project: made, artboard: newId, ...doneOf(planned) } } };
  },
});

/** The report without what a trial has said already. */
function doneOf({ report }: PlannedImport): Readonly<Record<string, unknown>> {
  const { columns, mapping, columns_that_can_be_key: _, artboard: made, ...done } = report;
  return done;
}

function optionsOf({ columns = {}, fields, placement, popup_title, popup_content, swap_axes }: Args): ImportTask['options'] {
  const { category, ...others } = columns;
  const mapping: GivenMapping = {
    ...others,
    ...(category === undefined ? {} : { category: { column: category } }),
    ...(fields === undefined ? {} : { fields: fields.map((each) => ({ column: each })) }),
    ...(popup_title === undefined ? {} : { popupTitle: popup_title }),
    ...(popup_content === undefined ? {} : { popupContent: popup_content }),
  };
  return {
    mapping,
    ...(placement === undefined ? {} : { placement: placement as Placement }),
    ...(swap_axes === undefined ? {} : { swapAxes: swap_axes }),
  };
}

/** The artboard, with what an import looks for in it. */
async function targetOf(api: MapsApi, project: string, wanted: string | undefined): Promise<ImportTarget> {
  const { settings } = await api.get<{ readonly settings: unknown }>(projectPath(project), { fields: 'settings' });
  const members = 'name,type,width,height,osm_lat,osm_lng,osm_zoom';
  const artboards = await artboardsOf<TargetArtboard & { readonly id: string }>(api, project, members);
  const { id, ...artboard } = chosenArtboard(artboards, wanted);
  const objects = await all<ExistingObject>(api, listPath(project, 'object', id), 'name,key,category,properties');
  const popups = await all<ExistingPopup>(api, listPath(project, 'popup'), 'attachedTo');
  return { id, artboard, settings, objects, popups };
}

async function all<T>(api: MapsApi, path: string, fields: string): Promise<readonly T[]> {
  const found: T[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await api.page<T>(path, { fields, limit: pageItems, cursor });
    found.push(...items);
    cursor = next;
    if (found.length > existingMax)
      throw wrongArgument('artboard', `has more than ${existingMax} objects or popups. Use npx mapwright import.`);
  } while (cursor !== undefined);
  return found;
}

/** A project with one artboard that fits the text. The identifier of what was made. */
async function create(api: MapsApi, name: string, artboardId: string, { artboard, batches }: PlannedImport): Promise<string> {
  const made = await api.send<{ readonly id: string }>('POST', '/projects', { name }, { query: { fields: 'name' } });
  const board = { method: 'POST', path: '/artboards', id: artboardId, body: { name, ...artboard } };
  await undoing(api, made.id, true, async () => {
    await send(api, made.id, { operations: [board] });
    for (const batch of batches) await send(api, made.id, batch);
  });
  return made.id;
}

async function write(api: MapsApi, project: string, batches: readonly ImportBatch[], before: KeptVersion): Promise<void> {
  for (const [i, batch] of batches.entries()) {
    try {
      await send(api, project, batch);
    } catch (error) {
      if (!(error instanceof RefusedError) || i === 0) throw error;
      const left = { parts_written: i, parts: batches.length, version_before: before };
      throw new RefusedError({ ...error.refusal, detail: 'A part of the import was written.', left });
    }
  }
}

const send = (api: MapsApi, project: string, batch: object) =>
  api.ask('POST', projectPath(project, '/batch'), { body: batch, headers: { prefer: 'return=minimal' } });
