/** Writes the types of the client (`src/client/generated`). */
import fs from 'node:fs';
import { compats, typesFile, typesText } from './client-types.ts';

for (const compat of compats) fs.writeFileSync(typesFile(compat), typesText(compat));
