/**
 * Writes the types of the client (`src/client/generated`), with openapi-typescript. That wants an older TypeScript than the one that we
 * compile with, so both are fetched when they are needed, here and nowhere else.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compats, headOf, typedDescription, typesFile } from './client-types.ts';

const tools = ['-y', '-p', 'typescript@5.9', '-p', 'openapi-typescript@7.13', 'openapi-typescript'];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'client-types-'));
for (const compat of compats) {
  const description = path.join(folder, `${compat}.json`);
  const types = path.join(folder, `${compat}.ts`);
  fs.writeFileSync(description, JSON.stringify(typedDescription(compat)));
  // Members with defaults are always there in answers, where they are required, and need not be in bodies.
  execFileSync('npx', [...tools, description, '--default-non-nullable=false', '--output', types], { stdio: 'inherit' });
  const generated = fs.readFileSync(types, 'utf8').replace(/^\/\*\*[\s\S]*?\*\/\n/, '');
  fs.writeFileSync(typesFile(compat), headOf(compat) + generated);
}
fs.rmSync(folder, { recursive: true });
