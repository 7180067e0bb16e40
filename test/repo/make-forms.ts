/** Writes the forms of the console (`src/web/console/generated`). */
import fs from 'node:fs';
import { formsFile, formsText } from './form-descriptions.ts';

fs.writeFileSync(formsFile, formsText());
