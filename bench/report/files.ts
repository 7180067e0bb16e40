/** What a run leaves: the rows as JSON, as a picture, and as a page with a part below that is written by hand and kept. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../lib/root.ts';
import type { Row } from '../row.ts';
import { machine } from './machine.ts';
import { page } from './page.ts';
import { picture } from './picture.ts';

/** A run that is over. */
export interface Finished {
  readonly began: Date;
  readonly rounds: number;
  readonly seconds: number;
  /** The benches it was bound to; none when it was whole. */
  readonly only: readonly string[];
  readonly rows: readonly Row[];
  readonly skipped: readonly string[];
}

/** The report of a run. */
export interface Results extends Omit<Finished, 'began'> {
  /** The day, in UTC. */
  readonly date: string;
  /** What was measured; with a `+` where files were not committed. */
  readonly commit: string;
  readonly machine: string;
}

/** @param folder by default `bench/` */
export function writeFiles({ began, ...finished }: Finished, folder = path.join(root, 'bench')): void {
  const results: Results = { date: began.toISOString().slice(0, 10), commit: commitHere(), machine: machine(), ...finished };
  const file = (name: string): string => path.join(folder, name);
  const before = fs.existsSync(file('RESULTS.md')) ? fs.readFileSync(file('RESULTS.md'), 'utf8') : '';
  fs.writeFileSync(file('results.json'), `${JSON.stringify(results, undefined, 2)}\n`);
  fs.writeFileSync(file('results.svg'), picture(results));
  fs.writeFileSync(file('RESULTS.md'), page(results, before));
}

function commitHere(): string {
  const git = (...args: string[]): string => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';
  const commit = git('rev-parse', '--short', 'HEAD');
  const changed = git('status', '--porcelain', '--', 'src', 'bench', ':!bench/RESULTS.md', ':!bench/results.*');
  return commit === '' ? 'unknown' : `${commit}${changed === '' ? '' : '+'}`;
}
