/** Checks a history against the models, and describes a violation as briefly as possible. */
import type { Clients, Recorded, Workload } from './clients.ts';
import { collectionModel, isRead, type MemberInput, memberModel, type Shown } from './models.ts';
import { describe } from './report.ts';
import { linearize, type Model, type Operation, shrink } from './wing-gong.ts';

/** What is wrong with a history, if anything: its smallest part that cannot be explained. */
export function faultOf(clients: Clients, workload: Workload, initial: readonly Shown[]): string | undefined {
  const { history, crashes, problems } = clients;
  if (problems.length > 0) return problems.join('\n');
  if (workload === 'collection') return faultIn(history, crashes, collectionModel(initial), 'the collection');
  // Members know nothing of each other: what is linearizable for each is so for all (Herlihy and Wing 1990).
  for (const shown of initial) {
    const own = history.filter(({ input }) => (input as MemberInput).name === shown[0]);
    const fault = faultIn(
      own,
      crashes,
      memberModel(shown) as unknown as Model<unknown, Recorded['input'], Recorded['output'] & object>,
      shown[0],
    );
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultIn<State>(
  history: readonly Recorded[],
  crashes: readonly number[],
  model: Model<State, Recorded['input'], NonNullable<Recorded['output']>>,
  what: string,
): string | undefined {
  if (linearize(model, history).linearizable) return undefined;
  const part = shrink(
    model,
    history as readonly Operation<Recorded['input'], NonNullable<Recorded['output']>>[],
    isRead,
  ) as Recorded[];
  return `${what}: no order of these ${part.length} operations (of ${history.length}) gives these answers:\n${describe(part, crashes)}`;
}
