/**
 * Ours beside ours as of another commit: the same benches, from here, on the program compiled here and on the other one, in turn. The
 * other one runs twice, as a control.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { output, removeFolder, temporaryFolder } from './lib/child.ts';
import { root } from './lib/root.ts';
import { figure, ratios, rowOf, rowOfOurs, said } from './lib/rows.ts';
import { median } from './lib/statistics.ts';
import { timeRow, warmUp } from './lib/turns.ts';
import { UsageError } from './options.ts';
import type { Bench, Context, Opened, Row } from './row.ts';
import { keepCode } from './servers/ours.ts';

/** @param reference a commit as git names it; throws UsageError when there is none of that name */
export async function compareCommits(benches: readonly Bench[], context: Context, reference: string): Promise<Row[]> {
  const commit = spawnSync('git', ['rev-parse', '--short', '--verify', `${reference}^{commit}`], { cwd: root, encoding: 'utf8' });
  if (commit.status !== 0)
    throw new UsageError(`--against takes a commit of this repository; git knows none called "${reference}".`);
  const name = commit.stdout.trim();
  const folder = temporaryFolder();
  const tree = path.join(folder, 'tree');
  const letGo = () => {
    fs.rmSync(tree, { recursive: true, force: true });
    spawnSync('git', ['worktree', 'prune'], { cwd: root });
  };
  process.once('exit', letGo); // also when it is broken off
  try {
    context.say(`compiling ${name}`);
    const older = await compileCommit(name, tree, context.say);
    for (const program of [context.program, older]) await keepCode(program);
    const rows: Row[] = [];
    for (const bench of benches) rows.push(...(await pair(bench, context, older, name)));
    return rows;
  } finally {
    process.removeListener('exit', letGo);
    letGo();
    removeFolder(folder);
  }
}

/** Checks a commit out, installs its dependencies and builds it; the folder of the compiled program. */
async function compileCommit(commit: string, tree: string, say: Context['say']): Promise<string> {
  await output(['git', 'worktree', 'add', '--detach', tree, commit], { cwd: root });
  const lock = (folder: string) => fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8');
  if (lock(tree) === lock(root)) fs.symlinkSync(path.join(root, 'node_modules'), path.join(tree, 'node_modules'));
  else {
    say(`installing the dependencies of ${commit}, which differ from those here: npm ci`);
    // npm takes proxies, certificates and caches from its surroundings.
    await output(['npm', 'ci', '--no-audit', '--no-fund'], { cwd: tree, env: process.env });
  }
  await output(['npm', 'run', '--if-present', 'sources'], { cwd: tree });
  const compiler = path.join(tree, 'node_modules', 'typescript', 'bin', 'tsc');
  // Types were checked when it was committed.
  await output([process.execPath, compiler, '--project', path.join(tree, 'src'), '--noCheck'], { cwd: tree });
  for (const script of ['bundle', 'pages']) await output(['npm', 'run', '--if-present', script], { cwd: tree });
  return path.join(tree, 'dist');
}

/** Turns of each program in a round when they run beside each other: the machine's speed changes from second to second. */
const turns = 5;

const sidesOf = (ours: string, older: string) =>
  [
    ['ours', ours],
    ['older', older],
    ['control', older],
  ] as const;

type SideName = ReturnType<typeof sidesOf>[number][0];

/** Results of each side by row. */
class Results {
  readonly #rows = new Map<string, { readonly unit: string } & Record<SideName, number[]>>();

  add(what: string, unit: string, side: SideName, result: number): void {
    const row = this.#rows.get(what) ?? { unit, ours: [], older: [], control: [] };
    row[side].push(result);
    this.#rows.set(what, row);
  }

  /** Each row of ours by that of the older program, or alone if the older one does not have it. */
  rows(name: string): Row[] {
    return [...this.#rows].map(([what, { unit, ours, older, control }]) => {
      if (older.length === 0) return rowOfOurs(what, unit, ours, `not in ${name}`);
      const note = `control ${figure(median(ratios(control, older)))}`;
      return rowOf(what, unit, ours, { name, results: older }, note);
    });
  }
}

/** Another side is first in each round: what came before, and what the disk still writes, touches each alike. */
function beginningAt<Each>(sides: readonly Each[], round: number): readonly Each[] {
  const first = round % sides.length;
  return [...sides.slice(first), ...sides.slice(0, first)];
}

/** Rows of one bench: of each of its own rows, ours by that of the older program. */
async function pair(bench: Bench, context: Context, older: string, name: string): Promise<Row[]> {
  context.say(`-- ${bench.name}: ${bench.about}`);
  const results = new Results();
  if (bench.open === undefined) await runEach(bench, context, older, results);
  else await runBeside(bench.open.bind(bench), context, older, results);
  const rows = results.rows(name);
  for (const row of rows) context.say(`   ${said(row)}`);
  return rows;
}

/** All programs run all the while, and are measured in turns. */
async function runBeside(
  open: Required<Bench>['open'],
  { rounds, seconds, ...context }: Context,
  older: string,
  results: Results,
): Promise<void> {
  const opened: (readonly [SideName, Opened])[] = [];
  try {
    for (const [side, program] of sidesOf(context.program, older))
      opened.push([side, await open({ ...context, rounds, seconds, program })]);
    await warmUp(opened.map(([, { side }]) => side));
    for (let turn = 0; turn < rounds * turns; turn++) {
      for (const [name, { what, unit, side }] of beginningAt(opened, turn)) {
        results.add(what, unit, name, await side.measure(seconds));
        const us = side.usPerAnswer?.();
        if (us !== undefined) results.add(timeRow(what), 'µs', name, us);
      }
    }
    for (const [, each] of opened) await each.check();
  } finally {
    for (const [, each] of opened) await each.stop();
  }
}

/** Each measurement starts a program of its own. */
async function runEach(bench: Bench, context: Context, older: string, results: Results): Promise<void> {
  const once = { ...context, rounds: 1, alone: true, say: () => undefined };
  const sides = sidesOf(context.program, older);
  for (let round = 0; round < context.rounds; round++) {
    for (const [side, program] of beginningAt(sides, round)) {
      for (const { what, unit, ours } of await bench.run({ ...once, program })) results.add(what, unit, side, ours);
    }
  }
}
