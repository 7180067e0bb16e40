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
    if (error instanceof ConvertError) return { refused: error.message };
    throw error;
  }
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
}: Conversion): Readonly<Record<string, unknown>> {
  return {
    ...{ format, read },
    ...(warning === undefined ? {} : { warning }),
    columns: columns.slice(0, shownMax).map(({ name, kind, distinct }) => ({ name, kind, distinct })),
    mapping,
    ...(categories.length === 0 ? {} : { categories: categories.slice(0, shownMax).map(({ name, count }) => ({ name, count })) }),
  };
}
