/** The pictures of README and docs: each is there, is small, and is shown. `npm run pictures` makes them. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { pictureBytesMax } from '../support/document-picture.ts';
import { documentNames, documentText } from '../support/documents.ts';
import { projectRoot } from '../support/project.ts';

const root = projectRoot(import.meta.dirname);
const folder = 'docs/images';

/** Paths of the pictures that a document shows, from the root. */
const picturesIn = (name: string): string[] =>
  [...documentText(name).matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link))
    .map((link) => path.posix.join(path.posix.dirname(name), link));

const shown = new Set(documentNames().flatMap(picturesIn));
const stored = fs
  .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
  .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
  .filter((name) => /\.\w+$/.test(name));

t.test(`every picture of a document is there, and has at most ${pictureBytesMax} bytes`, async (t) => {
  t.ok(shown.size > 30);
  for (const name of shown) {
    const file = path.join(root, name);
    if (t.ok(fs.existsSync(file), `${name} is there`)) t.ok(fs.statSync(file).size <= pictureBytesMax, `${name} is small`);
  }
});

t.test('every picture in docs/images is shown by a document', async (t) => {
  t.strictSame(
    stored.filter((name) => !shown.has(name)),
    [],
  );
});

t.test('the README begins with a picture', async (t) => {
  const [first = ''] = picturesIn('README.md');
  const text = documentText('README.md');
  t.ok(text.indexOf(first) < text.indexOf('\n## '), `${first} is above the first heading`);
});
