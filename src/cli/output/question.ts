/** Asks the user at the terminal. Prints to standard error, so that standard output contains only results. */
import { createInterface } from 'node:readline/promises';

/** The line typed by the user; '' if the user aborts with Ctrl-C or Ctrl-D. */
export async function promptLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const aborted = new AbortController();
  lines.once('SIGINT', () => aborted.abort());
  lines.once('close', () => aborted.abort());
  try {
    return await lines.question(question, { signal: aborted.signal });
  } catch {
    process.stderr.write('\n');
    return '';
  } finally {
    lines.close();
  }
}
