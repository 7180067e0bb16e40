/**
 * Writes the sources that are derived from the schemas of the resources and the API, and are not in git. Builds run it before the compiler.
 * With `--documents` (`npm run generate`) it also writes the committed documents, and prints which files have changed.
 */
import fs from 'node:fs';
import path from 'node:path';
import { typesText } from './generate/client-types.ts';
import { formsText } from './generate/console-forms.ts';

const root = path.join(import.meta.dirname, '..');
const withDocuments = process.argv.includes('--documents');

const sources = {
  'src/web/client/generated/api-types.ts': typesText,
  'src/web/console/generated/forms.ts': formsText,
};
// Builds do without the command line, which the documents load.
const documents = withDocuments ? (await import('./generate/documents.ts')).documents : {};

for (const [name, textOf] of Object.entries<(before: string) => string>({ ...sources, ...documents })) {
  const file = path.join(root, name);
  const before = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const text = textOf(before);
  // The compiler checks again what imports a file that was written.
  if (text !== before) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  if (withDocuments) console.log(`${text === before ? 'unchanged' : 'written  '}  ${name}`);
}
