/** Writes the types of the client (`src/web/client/generated`). */
import fs from 'node:fs';
import { typesFile, typesText } from './client-types.ts';

fs.writeFileSync(typesFile, typesText());
