/** The description of the API as it is committed: by the contract, with the version of the package. */
import { openapiOf } from '../../src/api/openapi/openapi.ts';
import { packageVersion } from '../../src/lib/package.ts';

export function committedDescription(): string {
  return `${JSON.stringify(openapiOf({ compat: 'contract', version: packageVersion() }), null, 1)}\n`;
}
