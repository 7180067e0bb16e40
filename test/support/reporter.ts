/**
 * What is printed of a run of tests (run.ts): failures in full as they come, one line per test file that ended with its time and its
 * processor time, the ten files with the most processor time, the total time, what was skipped and why, a line per failure once more, and as the very last line
 * `N passed, N failed`. Assertions are counted; a file that fails without a failed assertion (it crashed, ran out of time or broke its plan)
 * counts as one failure. What a test prints itself is passed through.
 */
import fs from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import { inspect } from 'node:util';
import { Parser, type Result } from 'tap-parser';
import { plural } from '../../src/lib/text/plural.ts';

/** What tap writes below a failed assertion, as far as it is shown in a place of its own. */
interface Diagnosis {
  at?: { fileName?: string; lineNumber?: number; columnNumber?: number };
  diff?: string;
  stack?: string;
  [member: string]: unknown;
}

/** Members of a diagnosis that say nothing about the fault: they stand elsewhere, or are how the runner starts a file. */
const noise = new Set(['source', 'cwd', 'args', 'command', 'externalID', 'stdio', 'jobId', 'buffered', 'test', 'tapCaught']);

const longest = 4000;
/** Files that are listed with their processor time at the end. */
const slowestMax = 10;
/** What several.ts writes after the results of each file. */
const fileEnded = /^# file (\S+) took (\d+) ms, (\d+) ms of processor time$/;

const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** A place in a compiled file, absolute or relative to the project. */
const compiledPlace = /(file:\/\/)?([^\s()]*dist\/[^\s()]+\.js):(\d+):(\d+)/g;

/** A text with places in the sources instead of places in compiled files. */
export function inSources(text: string): string {
  return text.replace(compiledPlace, (place, scheme: string | undefined, named: string, line: string, column: string) => {
    const file = scheme === undefined ? named : decodeURI(named);
    try {
      const map = new SourceMap(JSON.parse(fs.readFileSync(`${file}.map`, 'utf8')));
      const found = map.findEntry(Number(line) - 1, Number(column) - 1);
      if (!('originalSource' in found)) return place;
      const source = path.join(path.dirname(file), found.originalSource);
      return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
    } catch {
      return place;
    }
  });
}

/** Below its headline; a long text, such as a compared file, is cut. */
function indent(text: string): string {
  const cut = text.length > longest ? `${text.slice(0, longest)} ... (${text.length} characters)` : text;
  return cut.trimEnd().replace(/^/gm, '    ');
}

/** One failure: what failed, where, and everything known about it. */
export function describe(failure: Result): string {
  const { at, diff, stack, ...rest } = (failure.diag ?? {}) as Diagnosis;
  const lines = [`FAIL ${failure.fullname || failure.name}`];
  if (at?.fileName) lines.push(inSources(`  at ${at.fileName}:${at.lineNumber ?? 0}:${at.columnNumber ?? 0}`));
  if (failure.tapError) lines.push(indent(failure.tapError));
  if (diff) lines.push(indent(diff));
  for (const [name, value] of Object.entries(rest)) {
    if (value === null || noise.has(name) || (diff && (name === 'found' || name === 'wanted'))) continue;
    lines.push(indent(`${name}: ${typeof value === 'string' ? value : inspect(value, { depth: 6, breakLength: 120 })}`));
  }
  if (stack) lines.push(indent(inSources(stack)));
  return `${lines.join('\n')}\n`;
}

/** TAP in, text out. */
export default class Reporter extends Transform {
  readonly #parser = new Parser();
  readonly #times: { readonly file: string; readonly processorMs: number }[] = [];
  readonly #began = performance.now();
  /** Files with tests that were skipped, by the reason. */
  readonly #skipped = new Map<string, Set<string>>();
  /** What failed, and where. */
  readonly #failures: string[] = [];
  #passed = 0;
  #failed = 0;

  constructor() {
    super();
    const print = (text: string): void => void this.push(text);
    let passedBefore = 0;
    let failedBefore = 0;
    /** Reasons of the file that runs. */
    const skips = new Set<string>();
    let file: Result | undefined;
    const fail = (failure: Result): void => {
      this.#failed++;
      const described = describe(failure);
      this.#failures.push(/^.*(?:\n {2}at .*)?/.exec(described)?.[0].replace('\n', '') ?? '');
      print(described);
    };
    const ended = (name: string, verdict = 'ok  ', times?: { readonly ms: number; readonly processorMs: number }): void => {
      const [passed, failed] = [this.#passed - passedBefore, this.#failed - failedBefore];
      [passedBefore, failedBefore] = [this.#passed, this.#failed];
      for (const reason of skips) this.#skipped.set(reason, (this.#skipped.get(reason) ?? new Set()).add(name));
      skips.clear();
      const counts = `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}`;
      let duration = '';
      if (times !== undefined) {
        this.#times.push({ file: name, processorMs: times.processorMs });
        duration = `, ${secondsOf(times.ms)}, ${secondsOf(times.processorMs)} of processor time`;
      }
      print(`${failed > 0 ? 'FAIL' : verdict} ${name}: ${counts}${duration}\n`);
    };
    // Files end within the results of their process: their lines come before that of the process, which has nothing to add.
    const reported = new Set<string>();
    let failedAtStart = 0;
    this.#parser.on('child', (child: Parser) => {
      failedAtStart = this.#failed;
      child.on('comment', (comment: string) => {
        const [, name, ms, processorMs] = fileEnded.exec(comment.trim()) ?? [];
        if (name === undefined) return;
        reported.add(child.name);
        ended(name, undefined, { ms: Number(ms), processorMs: Number(processorMs) });
      });
    });
    // A file's own result comes here first and may come again as `pass` or `fail`: it is no assertion.
    this.#parser.on('assert', (result: Result) => {
      file = result;
      if (!file.ok && !file.todo && !file.skip && this.#failed === failedAtStart) fail(file);
      failedAtStart = this.#failed;
      if (!reported.has(file.name) || this.#failed > failedBefore) ended(file.name, file.skip ? 'skip' : 'ok  ');
    });
    this.#parser.on('pass', (result: Result) => {
      if (result !== file) this.#passed++;
    });
    this.#parser.on('fail', (result: Result) => {
      if (result !== file) fail(result);
    });
    this.#parser.on('skip', ({ skip }: Result) => {
      if (typeof skip === 'string') skips.add(skip);
    });
    this.#parser.on('extra', print);
    this.#parser.on('bailout', (reason: string) => print(`BAIL OUT ${reason}\n`));
  }

  /** Failures so far. */
  get failed(): number {
    return this.#failed;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#parser.write(chunk);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#parser.end();
    if (this.#failed === 0 && !this.#parser.ok) this.#failed++;
    const used = this.#times.reduce((sum, { processorMs }) => sum + processorMs, 0);
    const slowest = this.#times.sort((a, b) => b.processorMs - a.processorMs).slice(0, slowestMax);
    if (slowest.length > 0) {
      const list = slowest.map(({ file, processorMs }) => `${file} ${secondsOf(processorMs)}`).join(', ');
      const total = `${secondsOf(performance.now() - this.#began)}, ${secondsOf(used)} of processor time`;
      this.push(`slowest by processor time: ${list}\ntotal: ${total}\n`);
    }
    for (const [reason, files] of this.#skipped) this.push(`skipped tests of ${plural(files.size, 'file')}: ${reason}\n`);
    // Among thousands of lines a failure is hard to find.
    for (const failure of this.#failures) this.push(`${failure}\n`);
    this.push(`${this.#passed} passed, ${this.#failed} failed\n`);
    done();
  }
}
