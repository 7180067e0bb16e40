/** Documents of mapwright that help agents, whole as resources, and by section for the tool `read`. */
import fs from 'node:fs/promises';
import { packageRoot } from '../lib/package.ts';
import { wrongArgument } from './maps-api.ts';

/** The subject of each, by its name. */
export const documents = {
  'live-data': 'Data sources, variables and actions: how maps show live data',
  api: 'The admin API: batches, references, settings of the public map',
  viewer: 'How visitors see maps, and how web pages embed them',
} as const;

type DocumentName = keyof typeof documents;
export const documentNames = Object.keys(documents) as DocumentName[];

export const isDocument = (name: string): name is DocumentName => Object.hasOwn(documents, name);

export const documentText = (name: DocumentName): Promise<string> =>
  fs.readFile(new URL(`docs/${name}.md`, packageRoot()), 'utf8');

/** The text below a heading, up to the next one of the same level or above; without a heading, all of them. */
export async function sectionOf(name: DocumentName, heading: string | undefined): Promise<string> {
  const lines = (await documentText(name)).split('\n');
  const headings = lines.flatMap((line, at) => {
    const [, level, title] = /^(#{2,4}) (.*)$/.exec(line) ?? [];
    return level === undefined || title === undefined ? [] : [{ at, level: level.length, title }];
  });
  if (heading === undefined) return headings.map(({ level, title }) => `${'  '.repeat(level - 2)}${title}`).join('\n');
  const wanted = heading.trim().toLowerCase();
  const found = headings.find(({ title }) => title.toLowerCase() === wanted);
  if (found === undefined) throw wrongArgument('section', `is no heading of this document. Read it without a section first.`);
  const end = headings.find(({ at, level }) => at > found.at && level <= found.level)?.at ?? lines.length;
  return lines.slice(found.at, end).join('\n').trim();
}
