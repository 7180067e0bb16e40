/** Checks a history against the models, and describes a violation as briefly as possible. */
import type { Clients, Recorded } from './clients.ts';
import type { Workload } from './collection-clients.ts';
import { collectionModel, type Input, isRead, type MemberInput, memberModel, type Output, type Shown } from './models.ts';
import { describe } from './report.ts';
import { linearize, type Model, type Operation, shrink } from './wing-gong.ts';

/** Says what is wrong with a history of a collection or its members, if anything. */
export function collectionFault(
  clients: Clients<Input, Output>,
  workload: Workload,
  initial: readonly Shown[],
): string | undefined {
  const { history, crashes, problems } = clients;
  if (problems.length > 0) return problems.join('\n');
  if (workload === 'collection') return faultIn(history, crashes, collectionModel(initial), isRead, 'the collection');
  // Members know nothing of each other: what is linearizable for each is so for all (Herlihy and Wing 1990).
  for (const shown of initial) {
    const own = history.filter(({ input }) => (input as MemberInput).name === shown[0]);
    const fault = faultIn(own, crashes, memberModel(shown) as unknown as Model<unknown, Input, Output>, isRead, shown[0]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** The smallest part of a history that cannot be explained, described. */
export function faultIn<State, Input extends { readonly op: string }, Output extends { readonly status: number }>(
  history: readonly Recorded<Input, Output>[],
  crashes: readonly number[],
  model: Model<State, Input, Output>,
  isRead: (input: Input) => boolean,
  what: string,
): string | undefined {
  if (linearize(model, history).linearizable) return undefined;
  const part = shrink(model, history as readonly Operation<Input, Output>[], isRead) as Recorded<Input, Output>[];
  return `${what}: no order of these ${part.length} operations (of ${history.length}) gives these answers:\n${describe(part, crashes)}`;
}
