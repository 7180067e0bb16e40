/** The exports of the converter, for console, command line and worker. */
export * from './conversion.ts';
export { convert } from './convert.ts';
export { paletteNames } from './map/palettes.ts';
export { convertInto } from './plan/convert-into.ts';
export { type ExistingPopup, type ImportBatch, type ImportOperation, importBatches } from './plan/import-batches.ts';
export { type LegendChoice, legendChoices, missingIn } from './plan/legend-choice.ts';
export { type ExistingObject, type ImportPlan, planImport } from './plan/plan-import.ts';
export { knownCategories, type SettingsAfter, savedMapping, settingsAfter } from './plan/settings-after.ts';
export { wholeImport } from './plan/whole-import.ts';
export { withPictures } from './plan/with-pictures.ts';
