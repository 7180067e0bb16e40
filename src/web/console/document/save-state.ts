/** How far the changes of the user are, and what the editor says about them. */
import { effect, type ReadonlySignal } from '@preact/signals';

/**
 * `waiting`: they are sent again, until the server takes them; `stopped`: the server has refused them, for a reason that is not in their
 * values; `refused`: a value was refused; `conflict`: the user has to decide.
 */
export type SaveState = 'saved' | 'saving' | 'waiting' | 'stopped' | 'refused' | 'conflict';

/** What is not saved yet. */
interface Unsaved {
  readonly hasConflicts: boolean;
  readonly hasErrors: boolean;
  readonly hasUnsaved: boolean;
  readonly queue: QueueState;
}

export function saveStateOf({ hasConflicts, hasErrors, hasUnsaved, queue }: Unsaved): SaveState {
  if (hasConflicts) return 'conflict';
  if (queue === 'paused') return 'waiting';
  if (queue === 'running' || queue === 'trying') return 'saving';
  if (hasErrors) return 'refused';
  if (!hasUnsaved) return 'saved';
  return queue === 'stopped' ? 'stopped' : 'waiting';
}

/** Resolves when the server has everything, and nothing waits for a decision. */
export function whenSaved(state: ReadonlySignal<SaveState>): Promise<void> {
  return new Promise((resolve) => {
    const dispose = effect(() => {
      if (state.value !== 'saved') return;
      resolve();
      queueMicrotask(() => dispose());
    });
  });
}

/** `trying`: a task runs after the server has refused one; `stopped`: it has refused the last one. */
export type QueueState = 'idle' | 'running' | 'paused' | 'trying' | 'stopped' | 'closed';
