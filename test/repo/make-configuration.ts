/** Writes the tables of docs/configuration.md. */
import fs from 'node:fs';
import { configurationFile, configurationText } from './configuration.ts';

fs.writeFileSync(configurationFile, configurationText());
