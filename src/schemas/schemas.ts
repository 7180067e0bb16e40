/**
 * Schemas of the resources, for programs that validate data before they send or store it: `import { PopupCreate } from 'mapwright/schemas'`.
 * They are TypeBox schemas, and therefore JSON Schema. Each type has the name of its schema.
 */
export * from './contract-schemas.ts';
/** The same for the latest API version. */
export * as latest from './latest-schemas.ts';
