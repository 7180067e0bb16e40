/** The documents of the project, for tests that hold what they say against the program. */
import fs from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project.ts';

const root = projectRoot(import.meta.dirname);

/** The text of a document, by its path in the project. */
export const documentText = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');

/** The paths of all documents: of the project, of its folders, and of rooms. */
export function documentNames(): string[] {
  const below = ['bench', 'data', 'docs', 'src'].flatMap((folder) =>
    fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => path.posix.join(folder, name)),
  );
  const isDocument = (name: string) => name.endsWith('.md') && !/\/(?:node_modules|store|scratch)\//.test(name);
  return [...fs.readdirSync(root), ...below].filter(isDocument).sort();
}

/** A section with its subsections. An empty heading means the document up to its first section. */
export function sectionOf(name: string, heading: string): string {
  const text = documentText(name);
  // Comments in fenced blocks begin like headings.
  const outline = text.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll('\n#', '\n '));
  if (heading === '') return text.slice(0, outline.search(/\n## /));
  const start = new RegExp(`\n(#+) ${heading}\n`).exec(outline);
  if (start === null) throw new Error(`${name} has no section "${heading}"`);
  const [line, marks = ''] = start;
  const body = start.index + line.length - 1;
  const length = outline.slice(body).search(new RegExp(`\n#{1,${marks.length}} `));
  return text.slice(start.index, length === -1 ? undefined : body + length);
}

/** The fenced blocks of a language in a section. Throws if there is none. */
export function blocksOf(name: string, heading: string, language: string): string[] {
  const blocks = Array.from(
    sectionOf(name, heading).matchAll(new RegExp(`\n\n\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g')),
    ([, block = '']) => block,
  );
  if (blocks.length === 0) throw new Error(`${name} has no ${language} block in "${heading}"`);
  return blocks;
}
