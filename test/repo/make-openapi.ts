/** Writes `openapi.json`, the description of the API as it is committed. */
import fs from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../support/project.ts';
import { committedDescription } from './openapi.ts';

fs.writeFileSync(path.join(projectRoot(import.meta.dirname), 'openapi.json'), committedDescription());
