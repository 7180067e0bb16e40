/** How long answers take at a steady rate, measured by a process that does nothing else. */
import path from 'node:path';
import { output } from '../lib/child.ts';
import type { Paced, PacedLoad } from './paced-client.ts';

/** Rejects when an answer was no success, or a connection failed. */
export async function paced(load: PacedLoad): Promise<Paced> {
  const command = [process.execPath, path.join(import.meta.dirname, 'paced-main.js')];
  return JSON.parse(await output(command, { input: JSON.stringify(load) })) as Paced;
}
