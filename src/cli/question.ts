/** A question to whoever sits at the terminal. On standard error, so that standard output stays what the command prints. */
import { createInterface } from 'node:readline/promises';

/** What was typed; nothing where it was broken off, with Ctrl-C or Ctrl-D. */
export async function answerTo(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const broken = new AbortController();
  lines.once('SIGINT', () => broken.abort());
  lines.once('close', () => broken.abort());
  try {
    return await lines.question(question, { signal: broken.signal });
  } catch {
    process.stderr.write('\n');
    return '';
  } finally {
    lines.close();
  }
}
