/**
 * The English and German names in OpenStreetMap of things that have an icon of Maki or Temaki, so that people find icons in the console:
 * `{ "maki:cafe": "cafe coffee kaffee …" }`. From the presets of the editor iD.
 */
import fs from 'node:fs';
import path from 'node:path';
import { licenceOf } from './bundled-packages.mjs';

const packageFolder = 'node_modules/@openstreetmap/id-tagging-schema';
const languages = ['en', 'de'];

/** The licence of the words, which must go along with each copy. */
export const licenceOfWords = () => `icon-words.json contains words of:\n\n${licenceOf(packageFolder)}\n`;

/** @param root folder of the project @param names of all icons */
export function wordsIn(root, names) {
  const read = (file) => JSON.parse(fs.readFileSync(path.join(root, packageFolder, 'dist', file), 'utf8'));
  const presets = read('presets.min.json');
  const words = new Map(names.map((name) => [name, new Set()]));
  const add = (name, text) => {
    const own = words.get(name);
    for (const word of text.toLowerCase().split(/[^\p{L}\p{N}]+/u)) if (word.length > 1) own.add(word);
  };
  for (const language of languages) {
    const texts = read(`translations/${language}.min.json`)[language].presets.presets;
    for (const [id, { icon = '' }] of Object.entries(presets)) {
      const name = icon.replace('-', ':');
      // Kinds of kinds, such as "cafe with board games", find their icon by the kind.
      if (id.split('/').length > 2) continue;
      const { name: title = '', terms = '' } = texts[id] ?? {};
      // A name in braces is that of another preset.
      if (words.has(name)) add(name, `${title.replace(/^\{.*\}$/, '')} ${terms}`);
    }
  }
  return Object.fromEntries([...words].filter(([, own]) => own.size > 0).map(([name, own]) => [name, [...own].join(' ')]));
}
