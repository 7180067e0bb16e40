/** The worker thread that plans imports of agents. Its priority is low: requests of people run first. */
import { takePriority } from '../../lib/threads/priority.ts';
import { threadNumber } from '../../lib/threads/processor-time.ts';
import { type ThreadResult, toResult } from '../../lib/threads/thread-result.ts';
import type { ImportAnswer, ImportTask } from './import-task.ts';

/** Starts the thread and loads its modules. */
export type WarmUp = 'warm-up';

export default async function importInWorker(
  task: ImportTask | WarmUp,
): Promise<ThreadResult<ImportAnswer | number | undefined>> {
  try {
    const { answerImport } = await import('./plan-text-import.ts');
    if (task !== 'warm-up') return { value: await answerImport(task) };
    takePriority('low');
    return { value: threadNumber() };
  } catch (error) {
    return toResult(() => {
      throw error;
    });
  }
}
