/** All batches of an import, with what comes before and after its objects. */
import { isPlain, patchBetween } from '../../../lib/change/value-parts.ts';
import type { Conversion } from '../conversion.ts';
import type { ImportInto } from './convert-into.ts';
import type { ImportBatch, ImportOperation } from './import-batches.ts';
import type { SettingsAfter } from './settings-after.ts';

/**
 * The batches of objects; before the first, an artboard that exists moves to its data if the placement asks for it; after the last, the
 * settings.
 *
 * @param isExisting whether the artboard was there before this import
 */
export function* wholeImport(
  { artboardId, settings: before }: ImportInto,
  isExisting: boolean,
  { artboard }: Pick<Conversion, 'artboard'>,
  batches: Iterable<ImportBatch>,
  { settings }: SettingsAfter,
): Generator<ImportBatch, void> {
  if (isExisting && artboard !== undefined) {
    const move: ImportOperation = { method: 'PATCH', path: `/artboards/${artboardId}`, body: artboard };
    yield { operations: [move] };
  }
  yield* batches;
  const patch = patchBetween(isPlain(before) ? before : {}, settings);
  // A patch leaves what others have changed in the settings meanwhile.
  const change = patch === undefined ? { body: { settings } } : { body: { settings: patch }, merge: true as const };
  yield { operations: [{ method: 'PATCH', path: '/', ...change }] };
}
