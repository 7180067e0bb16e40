/** Plans an import of an agent: from a text to batches. Pure; it runs in a thread, since a text may take seconds. */
import {
  type Conversion,
  ConvertError,
  convertInto,
  importBatches,
  planImport,
  settingsAfter,
  wholeImport,
} from '../../web/convert/converter.ts';
import type { ImportAnswer, ImportTask, PlannedImport } from './import-task.ts';

/** Notes and columns that a report has. */
const shownMax = 30;

export async function answerImport(task: ImportTask): Promise<ImportAnswer> {
  try {
    return { planned: await planned(task) };
  } catch (error) {
    if (error instanceof ConvertError) return { refused: `${error.message}${adviceFor(error)}` };
    throw error;
  }
}

/** Advice for an agent: the sentence of a refusal is for people with a file. */
function adviceFor({ code }: ConvertError): string {
  if (code === 'columns') return ' Give the argument "columns".';
  return code === 'coordinates' ? ' Or draw them to scale, without a map, with the placement "fit".' : '';
}

async function planned({ text, options, missing, target, newId }: ImportTask): Promise<PlannedImport> {
  const into = { artboardId: target?.id ?? newId, settings: target?.settings };
  const conversion = await convertInto(
    Buffer.from(text),
    { ...options, ...(target === undefined ? {} : { artboard: target.artboard }) },
    target === undefined ? undefined : into,
  );
  const { background } = conversion;
  const plan = planImport(conversion, target?.objects ?? [], missing);
  const after = settingsAfter(into.settings, conversion, into.artboardId, 'add');
  const batches = importBatches(plan, into.artboardId, target?.popups ?? []);
  const notes = [...conversion.report.notes, ...plan.notes, ...after.notes];
  return {
    report: {
      ...reportOf(conversion),
      ...{ created: plan.create.length, updated: plan.update.length, deleted: plan.remove.length },
      notes: notes
        .slice(0, shownMax)
        .map(({ at, detail, leftOut }) => ({ ...(at === '' ? {} : { at }), detail, left_out: leftOut })),
      ...(notes.length > shownMax ? { more_notes: notes.length - shownMax } : {}),
    },
    isEmpty: conversion.objects.length === 0 && (background === undefined || target !== undefined),
    artboard: {
      ...conversion.artboard,
      ...(background === undefined ? {} : { image_url: `data:image/svg+xml,${encodeURIComponent(background)}` }),
    },
    batches: [...wholeImport(into, target !== undefined, conversion, batches, after)],
  };
}

function reportOf({
  format,
  report: { read, warning },
  columns,
  mapping,
  categories,
  artboard,
}: Conversion): Readonly<Record<string, unknown>> {
  return {
    ...{ format, read },
    ...(warning === undefined ? {} : { warning: 'Latitude and longitude may be exchanged: look, or try swap_axes.' }),
    ...(artboard === undefined ? {} : { artboard }),
    ...(mapping.key === undefined ? { columns_that_can_be_key: keysIn(columns, read) } : {}),
    columns: columns.slice(0, shownMax).map(({ name, kind, distinct }) => ({ name, kind, distinct })),
    mapping,
    ...(categories.length === 0 ? {} : { categories: categories.slice(0, shownMax).map(({ name, count }) => ({ name, count })) }),
  };
}

/** Columns with another value in each row: without a key, the next import makes all objects again. */
const keysIn = (columns: Conversion['columns'], rows: number): readonly string[] =>
  columns
    .filter(({ distinct, kind }) => kind !== 'empty' && rows > 1 && distinct === rows)
    .slice(0, shownMax)
    .map(({ name }) => name);
