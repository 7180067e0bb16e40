/** Imports a file of places or shapes into an artboard of a running server: converts it here, and sends its objects in batches. */
import fs from 'node:fs';
import path from 'node:path';
import type { Conversion, ConvertOptions, GivenMapping, ImportBatch, ImportPlan } from '../../../web/convert/converter.ts';
import { type ApiClient, jsonBody, jsonOf } from '../../api-client.ts';
import { ApiError } from '../../api-error.ts';
import { standardInput } from '../../arguments.ts';
import { plural } from '../../output/format-values.ts';
import { assertFile } from '../../output/named-file.ts';
import { withProgress } from '../../output/progress.ts';
import { inputName, withInput } from '../../output/stdin.ts';
import { storePictures } from './import-pictures.ts';
import type { ImportReport } from './import-report.ts';
import { existingIn, findTarget, type ImportTarget, routeOf } from './import-target.ts';

/** Options of the command that the converter takes as they are. */
type ConvertChoice = 'placement' | 'layer' | 'encoding' | 'swapAxes' | 'lineWidth';

export interface ImportPlacesOptions extends Pick<ConvertOptions, ConvertChoice> {
  /** Identifier or exact name of the project; `undefined` for a new one. */
  readonly into: string | undefined;
  readonly artboard: string | undefined;
  readonly mapping: GivenMapping;
  readonly missing: 'keep' | 'delete';
  readonly dryRun: boolean;
}

/** Files above are refused before they are read. */
const fileBytesMax = 256 * 1024 * 1024;
const resultBytesMax = 64 * 1024 * 1024;
/** The whole, in the units of a progress line. */
const whole = 1000;

export async function importPlaces(client: ApiClient, file: string, options: ImportPlacesOptions): Promise<ImportReport> {
  const { into, artboard, missing, dryRun } = options;
  const target = into === undefined ? undefined : await findTarget(client, into, artboard);
  const bytes = await readFile(file);
  // It is a script of its own, which other commands need not load.
  const converter = await import('../../../web/convert/converter.ts');
  const read = await conversionOf(converter, file, bytes, options, target);
  const { properties, background, pictures = [], report } = read;
  const members = ['category', ...(properties.length > 0 ? ['properties' as const] : [])] as const;
  const existing = target === undefined ? { objects: [], popups: [] } : await existingIn(client, target, members);
  // Only a new artboard gets a background.
  const hasBackground = target === undefined && background !== undefined;
  const isWritten = !dryRun && (read.objects.length > 0 || hasBackground);
  const written = isWritten ? (target ?? (await createProject(client, file, read))) : target;
  const stored = written === undefined || !isWritten ? undefined : await storePictures(client, written, pictures);
  const conversion = stored === undefined ? read : converter.withPictures(read, stored.addresses);
  const plan = converter.planImport(conversion, existing.objects, missing);
  const after = converter.settingsAfter(written?.project.settings, conversion, written?.artboard.id ?? '', 'add');
  if (isWritten && written !== undefined) {
    const batches = converter.importBatches(plan, written.artboard.id, existing.popups);
    const all = converter.wholeImport(intoOf(written), target !== undefined, conversion, batches, after);
    await send(client, written, all, plan, target === undefined);
  }
  return {
    ...{ file, format: conversion.format, project_id: written?.project.id ?? null, artboard_id: written?.artboard.id ?? null },
    ...{ read: report.read, created: plan.create.length, updated: plan.update.length, deleted: plan.remove.length },
    ...{ pictures: stored?.addresses.filter((address) => address !== undefined).length ?? pictures.length },
    ...{ has_background: hasBackground, mapping: conversion.mapping },
    notes: [...report.notes, ...(stored?.notes ?? []), ...plan.notes, ...after.notes],
    warning: report.warning ?? null,
  };
}

async function conversionOf(
  { convertInto }: typeof import('../../../web/convert/converter.ts'),
  file: string,
  bytes: Uint8Array,
  { mapping, placement, layer, encoding, swapAxes, lineWidth }: ImportPlacesOptions,
  target: ImportTarget | undefined,
): Promise<Conversion> {
  const given = { mapping, placement, layer, encoding, swapAxes, lineWidth, artboard: target?.artboard };
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as ConvertOptions;
  return await withProgress(`Converting ${inputName(file)}`, async (show) => {
    const onProgress = (share: number): void => show({ done: Math.round(share * whole), total: whole });
    try {
      return await convertInto(bytes, { ...options, onProgress }, target === undefined ? undefined : intoOf(target));
    } catch (error) {
      throw new ApiError(`${inputName(file)}: ${(error as Error).message}`);
    }
  });
}

const intoOf = ({ project, artboard }: ImportTarget) => ({ artboardId: artboard.id, settings: project.settings });

async function readFile(file: string): Promise<Buffer> {
  if (file !== standardInput) assertFile(file, 'file', 'Name a file in it.');
  return await withInput(file, (fd) => {
    const { size } = fs.fstatSync(fd);
    if (size > fileBytesMax)
      throw new ApiError(
        `${inputName(file)} has ${size} bytes, of at most ${fileBytesMax}. Split it, or keep only what the map shows.`,
      );
    return fs.readFileSync(fd);
  });
}

/** A project with one artboard that fits the file. */
async function createProject(client: ApiClient, file: string, { artboard, background }: Conversion): Promise<ImportTarget> {
  const name = file === standardInput ? 'Imported map' : path.parse(file).name;
  const picture = background === undefined ? {} : { image_url: `data:image/svg+xml,${encodeURIComponent(background)}` };
  const body = { name, artboards: [{ name, ...artboard, ...picture }] };
  const made = (await jsonOf(await client.ask('POST', '/projects', jsonBody(body)), resultBytesMax)) as {
    readonly id: string;
    readonly artboards: readonly [ImportTarget['artboard']];
  };
  return { project: { id: made.id, name }, artboard: made.artboards[0] };
}

async function send(
  client: ApiClient,
  { project }: ImportTarget,
  batches: Iterable<ImportBatch>,
  plan: ImportPlan,
  isNew: boolean,
): Promise<void> {
  const total = plan.create.length + plan.update.length + plan.remove.length;
  await withProgress(`Importing ${plural(total, 'object')}`, async (show) => {
    let done = 0;
    for (const batch of batches) {
      // The way back to what the project was before the import.
      const body = isNew || done > 0 ? batch : { ...batch, keep_version: true };
      try {
        (await client.ask('POST', `${routeOf(project)}/batch`, jsonBody(body))).resume();
      } catch (error) {
        if (isNew && done === 0) (await client.ask('DELETE', routeOf(project))).resume();
        if (!(error instanceof ApiError) || done === 0) throw error;
        const before = `Before that, ${plural(done, 'operation')} of the import were carried out in project ${project.id}. With --match COLUMN, another import with --into updates them.`;
        throw new ApiError(`${error.message}\n${before}`, error.status, error.errors);
      }
      done += batch.operations.length;
      show({ done: Math.min(done, total), total });
    }
  });
}
