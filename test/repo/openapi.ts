/** The description of the API as it is committed, with the version of the package. */
import { openapiOf } from '../../src/api/openapi/openapi.ts';
import { packageVersion } from '../../src/lib/package.ts';

export function committedDescription(): string {
  return `${JSON.stringify(openapiOf({ version: packageVersion() }), null, 1)}\n`;
}
