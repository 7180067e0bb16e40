/** The corpus: a folder of inputs for each target, each kept because it led somewhere, or once broke something. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../support/project.ts';

const root = projectRoot(import.meta.dirname);

export const corpusFolder = (target: string): string => path.join(root, 'test', 'fuzz', 'corpus', target);

export function readCorpus(target: string): Buffer[] {
  const folder = corpusFolder(target);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .sort()
    .map((name) => fs.readFileSync(path.join(folder, name)));
}

/** Adds an input to the corpus. */
export function keep(target: string, input: Buffer): void {
  fs.mkdirSync(corpusFolder(target), { recursive: true });
  fs.writeFileSync(path.join(corpusFolder(target), nameOf(input)), input);
}

/** Where an input that breaks something is put, so that it can be tried again. */
export function failurePath(target: string, input: Buffer): string {
  return path.join(root, '.tap', 'fuzz', `${target}-${nameOf(input)}`);
}

export const replayCommand = (target: string, file: string): string => `npm run test:fuzz -- --target ${target} --file ${file}`;

const nameOf = (input: Buffer): string => createHash('sha256').update(input).digest('hex').slice(0, 12);
