/**
 * The schemas of the resources, for programs that check what they send or store: `import { PopupCreate } from 'mapwright/schemas'`. They are
 * TypeBox schemas, and so JSON Schema for whoever wants that. A type has the name of its schema.
 */
export * from './contract.ts';
/** The same of the newer original. */
export * as latest from './latest.ts';
