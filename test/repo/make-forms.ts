/** Writes the forms of the console (`src/console/generated`). */
import fs from 'node:fs';
import { formsFile, formsText } from './form-descriptions.ts';

fs.writeFileSync(formsFile, formsText());
