/**
 * Plants seeds in a copy of the compiled program and runs what must catch them, each in a process of its own.
 *
 * A test that is run in a copy finds everything where it is in the project: the copy has links to what is not compiled.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from '../crash/explore.ts';
import { projectRoot } from '../support/project.ts';
import { type FaultName, faults } from './faults.ts';
import { type Change, changed, compiled } from './plant.ts';
import type { Fault } from './seam.ts';
import type { Detector, Seed } from './seeds.ts';
import { detectorName } from './table.ts';

const dist = fileURLToPath(new URL('../../', import.meta.url));
/** Of a process. A test in it that hangs fails after half of it. */
const timeoutMs = 120_000;

export interface Result {
  readonly seed: string;
  readonly by: string;
  /** Why it was not caught, or not for the right reason; `undefined` when it was. */
  readonly problem: string | undefined;
  /** The rule or the test that failed. */
  readonly caught: string;
  /** States tried until then; 0 for a test. */
  readonly states: number;
  readonly ms: number;
}

/** A copy of the compiled program, in which one seed at a time is planted. */
export class Plot {
  readonly #folder: string;
  readonly #dist: string;

  constructor() {
    this.#folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mapwright-seeds-'));
    this.#dist = path.join(this.#folder, 'dist');
    for (const name of ['src', 'test']) fs.cpSync(path.join(dist, name), path.join(this.#dist, name), { recursive: true });
    // Without its pages, a server has no console, and each test of it would fail without a seed.
    for (const name of ['node_modules', 'pages']) fs.symlinkSync(path.join(dist, name), path.join(this.#dist, name));
    for (const name of ['node_modules', 'package.json', 'data', 'docs', 'test']) {
      fs.symlinkSync(path.join(projectRoot(import.meta.dirname), name), path.join(this.#folder, name));
    }
  }

  remove(): void {
    fs.rmSync(this.#folder, { recursive: true });
  }

  /** Plants a seed, does something, and takes it out again. Throws when the seed does not apply. */
  async with<T>(seed: Seed, work: () => Promise<T>): Promise<T> {
    const before = new Map<string, string | undefined>();
    try {
      for (const [name, code] of planted(seed)) {
        const file = path.join(this.#dist, name);
        before.set(file, fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined);
        fs.writeFileSync(file, code);
      }
      return await work();
    } finally {
      for (const [file, text] of before) {
        if (text === undefined) fs.rmSync(file);
        else fs.writeFileSync(file, text);
      }
    }
  }

  async try(seed: Seed): Promise<Result> {
    const { name, caughtBy } = seed;
    return { seed: name, by: detectorName(caughtBy), ...(await this.with(seed, () => this.detect(caughtBy))) };
  }

  /** Runs a detector on what is planted. The problem is that it notices nothing, or notices something else. */
  async detect(detector: Detector): Promise<Omit<Result, 'seed' | 'by'>> {
    const started = performance.now();
    const found = 'workload' in detector ? await this.#caughtByWorkload(detector) : await this.#caughtByTest(detector);
    return { ...found, ms: Math.round(performance.now() - started) };
  }

  /** What the enumerator says of a workload, or of one state of it. Throws when it breaks. */
  async explore(workload: string, state?: string): Promise<Report> {
    const only = state === undefined ? [] : ['--state', state];
    const { stdout, stderr } = await this.#run('crash/main.js', [
      '--brief',
      '--json',
      '--jobs',
      '1',
      '--workload',
      workload,
      ...only,
    ]);
    if (!stdout.startsWith('{')) throw new Error(`the enumerator broke: ${stderr.slice(-1000)}`);
    return JSON.parse(stdout) as Report;
  }

  async #caughtByWorkload({ workload, rules }: Extract<Detector, { workload: string }>) {
    const { states, failure } = await this.explore(workload);
    const caught = failure?.rule ?? '';
    const wanted = failure !== undefined && rules.includes(failure.rule);
    const problem = wanted ? undefined : `no ${rules.join(' or ')} was seen, but ${caught || 'nothing'}: ${failure?.found}`;
    return { problem, caught, states };
  }

  async #caughtByTest({ test, name }: Extract<Detector, { test: string }>) {
    const fails = (line: string) => /^\s*not ok /.test(line);
    // A test that failed may leave a server behind that keeps its process: what is to be seen has been seen.
    const seen = (output: string) =>
      output
        .split('\n')
        .slice(0, -1)
        .some((line) => fails(line) && line.includes(name));
    // Only that test of the file, where it is one; where it is a part of one, nothing ran, and the whole file has to.
    const only = { TAP_GREP: name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') };
    const narrow = await this.#run(`${test}.test.js`, [], seen, only);
    const ran = seen(narrow.stdout) || narrow.stdout.split('\n').some((line) => line.includes(name) && !/ # SKIP /.test(line));
    const { stdout, code } = ran ? narrow : await this.#run(`${test}.test.js`, [], seen);
    const failed = stdout.split('\n').filter(fails);
    const caught = failed.find((line) => line.includes(name));
    const problem =
      code !== 0 && caught !== undefined ? undefined : `"${name}" did not fail, but ${failed.join(' | ') || 'nothing'}`;
    return {
      problem,
      caught:
        caught
          ?.trim()
          .replace(/^not ok \d+ - /, '')
          .replace(/ # time=.*/, '') ?? '',
      states: 0,
    };
  }

  /** Runs a file of `test`; ends it as soon as `enough` holds of its output. */
  async #run(
    file: string,
    args: readonly string[],
    enough: (stdout: string) => boolean = () => false,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Ran> {
    const { TAP: _, ...env } = process.env;
    const child = spawn(process.execPath, [path.join(this.#dist, 'test', file), ...args], {
      cwd: this.#folder,
      env: { ...env, TAP_TIMEOUT: String(timeoutMs / 2000), ...more },
      timeout: timeoutMs,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (enough(stdout)) child.kill('SIGKILL');
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return { stdout, stderr, code };
  }
}

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  /** `null` when it was ended. */
  readonly code: number | null;
}

/** The compiled files that a seed changes or adds, by their path in the compiled program. Throws when it does not apply. */
export function planted({ name, plants }: Seed): Map<string, string> {
  return typeof plants === 'string' ? withFault(plants) : withEdits(name, plants);
}

/** The sound module under another name, and in its place one that wraps it. */
function withFault(name: FaultName): Map<string, string> {
  const { module, exports }: Fault = faults[name];
  const sound = `${path.basename(module)}.sound.js`;
  const own = path.posix.relative(path.posix.dirname(module), 'test/mutation/faults.js');
  const names = Object.keys(exports);
  const wrapped = names.map((each) => `export const ${each} = exports.${each}(sound);`);
  return new Map([
    [`${path.posix.dirname(module)}/${sound}`, fs.readFileSync(path.join(dist, `${module}.js`), 'utf8')],
    [
      `${module}.js`,
      [
        `import * as sound from './${sound}';`,
        `import { faults } from '${own.startsWith('.') ? own : `./${own}`}';`,
        `export * from './${sound}';`,
        `const { exports } = faults[${JSON.stringify(name)}];`,
        ...wrapped,
      ].join('\n'),
    ],
  ]);
}

function withEdits(name: string, changes: readonly Change[]): Map<string, string> {
  const modules = new Set(changes.map(({ module }) => module));
  return new Map(
    [...modules].map((module) => [
      `src/${module}.js`,
      withChanges(
        name,
        module,
        changes.filter((change) => change.module === module),
      ),
    ]),
  );
}

function withChanges(seed: string, module: string, changes: readonly Change[]): string {
  const base = path.join(projectRoot(import.meta.dirname), 'src', module);
  const isTsx = fs.existsSync(`${base}.tsx`);
  try {
    return compiled(changes.reduce(changed, fs.readFileSync(isTsx ? `${base}.tsx` : `${base}.ts`, 'utf8')), isTsx);
  } catch (error) {
    throw new Error(`the seed "${seed}" no longer applies: ${(error as Error).message}`);
  }
}

/** Tries every seed, a few at a time, each plot with one at a time. */
export async function tryAll(seeds: readonly Seed[], plots: readonly Plot[], onResult: (result: Result) => void): Promise<void> {
  const waiting = [...seeds];
  await Promise.all(
    plots.map(async (plot) => {
      for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) onResult(await plot.try(seed));
    }),
  );
}

export function lineOf({ seed, by, problem, caught, states, ms }: Result): string {
  const how =
    problem === undefined
      ? `${caught}${states > 0 ? `, in ${states.toLocaleString('en')} states` : ''}`
      : `NOT CAUGHT: ${problem}`;
  return `${seed.padEnd(86)} ${by.padEnd(56)} ${(ms / 1000).toFixed(1).padStart(5)} s  ${how}`;
}
