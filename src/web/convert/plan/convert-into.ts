/** Converts a file for an artboard that may have had an import before. */
import { type Conversion, ConvertError, type ConvertOptions, type GivenMapping } from '../conversion.ts';
import { convert } from '../convert.ts';
import { knownCategories, savedMapping } from './settings-after.ts';

/** An artboard that gets the objects of a file, as the project has it. */
export interface ImportInto {
  readonly artboardId: string;
  /** Settings of the project. */
  readonly settings: unknown;
}

/**
 * Converts with the choices of the last import into the artboard, unless the file lacks their columns; those of `options.mapping` come first.
 *
 * @param into `undefined` for a new project
 * @throws {ConvertError}
 */
export async function convertInto(bytes: Uint8Array, options: ConvertOptions, into: ImportInto | undefined): Promise<Conversion> {
  const found = into === undefined ? {} : savedMapping(into.settings, into.artboardId);
  // An import without categories has chosen none.
  const saved: GivenMapping = Object.keys(found).length === 0 ? {} : { category: 'none', ...found };
  const run = (mapping: GivenMapping) => convert(bytes, { ...options, mapping, categories: knownCategories(into?.settings) });
  const { mapping = {} } = options;
  try {
    return await run({ ...saved, ...mapping });
  } catch (error) {
    if (!(error instanceof ConvertError) || error.code !== 'columns' || Object.keys(saved).length === 0) throw error;
    return await run(mapping);
  }
}
