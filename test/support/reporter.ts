/**
 * What is printed of a run of tests (run.ts): failures in full as they come, one line per test file that ended, and as the
 * very last line `N passed, N failed`. Assertions are counted; a file that fails without a failed assertion (it crashed, ran out
 * of time or broke its plan) counts as one failure. What a test prints itself is passed through.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { inspect } from 'node:util';
import { Parser, type Result } from 'tap-parser';

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

/** Below its headline; a long text is cut, since somebody compared a file. */
function indent(text: string): string {
  const cut = text.length > longest ? `${text.slice(0, longest)} ... (${text.length} characters)` : text;
  return cut.trimEnd().replace(/^/gm, '    ');
}

/** One failure: what failed, where, and everything known about it. */
export function describe(failure: Result): string {
  const { at, diff, stack, ...rest } = (failure.diag ?? {}) as Diagnosis;
  const lines = [`FAIL ${failure.fullname || failure.name}`];
  if (at?.fileName) lines.push(`  at ${at.fileName}:${at.lineNumber ?? 0}:${at.columnNumber ?? 0}`);
  if (failure.tapError) lines.push(indent(failure.tapError));
  if (diff) lines.push(indent(diff));
  for (const [name, value] of Object.entries(rest)) {
    if (value === null || noise.has(name) || (diff && (name === 'found' || name === 'wanted'))) continue;
    lines.push(indent(`${name}: ${typeof value === 'string' ? value : inspect(value, { depth: 6, breakLength: 120 })}`));
  }
  if (stack) lines.push(indent(stack));
  return `${lines.join('\n')}\n`;
}

/** TAP in, text out. */
export default class Reporter extends Transform {
  readonly #parser = new Parser();
  #passed = 0;
  #failed = 0;

  constructor() {
    super();
    const print = (text: string): void => void this.push(text);
    let passedBefore = 0;
    let failedBefore = 0;
    let file: Result | undefined;
    const fail = (failure: Result): void => {
      this.#failed++;
      print(describe(failure));
    };
    // A file's own result comes here first and may come again as `pass` or `fail`: it is no assertion.
    this.#parser.on('assert', (result: Result) => {
      file = result;
      if (!file.ok && !file.todo && !file.skip && this.#failed === failedBefore) fail(file);
      const [passed, failed] = [this.#passed - passedBefore, this.#failed - failedBefore];
      const verdict = failed > 0 ? 'FAIL' : file.skip ? 'skip' : 'ok  ';
      const time = file.time === null ? '' : `, ${(file.time / 1000).toFixed(1)} s`;
      print(`${verdict} ${file.name}: ${passed} passed${failed > 0 ? `, ${failed} failed` : ''}${time}\n`);
      [passedBefore, failedBefore] = [this.#passed, this.#failed];
    });
    this.#parser.on('pass', (result: Result) => {
      if (result !== file) this.#passed++;
    });
    this.#parser.on('fail', (result: Result) => {
      if (result !== file) fail(result);
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
    this.push(`${this.#passed} passed, ${this.#failed} failed\n`);
    done();
  }
}
