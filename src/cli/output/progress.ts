/** Shows progress on one line of a terminal, which is overwritten; shows nothing without a terminal. */
import type { OnProgress, Progress } from '../../lib/threads/progress-counter.ts';
import { formatBytes } from './format-values.ts';

interface ProgressLine {
  readonly show: OnProgress;
  /** Clears the line. */
  end(): void;
}

/** Minimum time between two updates, and the interval of updates without progress; in milliseconds. */
const showMs = 100;
const tickMs = 1000;

export function progressLine(what: string, stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  if (!stream.isTTY) return { show: () => undefined, end: () => undefined };
  const started = performance.now();
  let shownAt = Number.NEGATIVE_INFINITY;
  let progress: Progress = { done: 0, total: 0 };
  const write = (): void => {
    shownAt = performance.now();
    const { done, total } = progress;
    const far = done === 0 ? '' : `: ${formatBytes(done)}`;
    const percent = total === 0 ? '' : ` (${Math.min(99, Math.floor((100 * done) / total))} %)`;
    const seconds = Math.floor((shownAt - started) / 1000);
    stream.write(`\r\u001b[K${what}${far}${percent}${seconds === 0 ? '' : `, ${seconds} s`}`);
  };
  // Immediately, because blocking work would delay the timer.
  write();
  const timer = setInterval(write, tickMs).unref();
  return {
    show(now) {
      progress = now;
      if (performance.now() - shownAt >= showMs) write();
    },
    end() {
      clearInterval(timer);
      stream.write('\r\u001b[K');
    },
  };
}

/** Shows progress during some work, and clears the line afterwards. */
export async function withProgress<T>(what: string, work: (show: OnProgress) => T | Promise<T>): Promise<T> {
  const line = progressLine(what);
  try {
    return await work(line.show);
  } finally {
    line.end();
  }
}
