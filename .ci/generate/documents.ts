/** The committed documents that are derived from declarations, by path. Each function gets the committed text and returns the new one. */
import { openapiOf } from '../../src/api/openapi/openapi.ts';
import { packageVersion } from '../../src/lib/package.ts';
import { withFaults } from '../../test/mutation/table.ts';
import { withTables } from './configuration.ts';

export const documents: Readonly<Record<string, (committed: string) => string>> = {
  'openapi.json': () => `${JSON.stringify(openapiOf({ version: packageVersion() }), null, 1)}\n`,
  'docs/configuration.md': withTables,
  'test/mutation/README.md': withFaults,
};
