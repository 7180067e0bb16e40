/** Commits a publication together with the name of its map, which no other map of the cluster has. */
import { isExpired } from '../../model/references/public-name.ts';
import type { Change } from '../../store/operations/operations.ts';
import type { Command, ProjectName } from '../command.ts';
import type { Engine } from '../engine.ts';
import { giveUpName, NameTakenError, refuseName, takeName } from '../write/map-names.ts';

/** Where names are reserved before they are written; on one machine there is nothing to reserve. */
export interface NameRegistry {
  /** Runs changes of names one at a time. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves with `false` if the name is reserved for another shard. Nothing may be written then, or after a rejection. */
  reserveMapName(name: string): Promise<boolean>;
  /** Deletes what is not used any more. Never rejects. */
  freeMapNames(names: readonly string[]): Promise<void>;
}

export interface Naming extends ProjectName, Pick<Command, 'by'> {
  /** The name to have, '' for none, and where it is reserved; `undefined`: the present one stays. */
  readonly naming?: { readonly name: string; readonly registry: NameRegistry } | undefined;
}

/** @param mayCommit throws if the changes cannot be committed any more; called in the turn of the commit */
type CommitChanges<T> = (changes: readonly Change[], mayCommit?: () => void) => Promise<T>;

export const keepsName = ({ state }: Engine, { accountId, projectId, naming }: Naming): boolean =>
  naming === undefined || naming.name === state.names.ofProject(accountId, projectId);

/** Throws as {@link refuseName} does, before any work is done for a name that a project cannot have. */
export function checkName(engine: Engine, request: Naming): void {
  const name = request.naming?.name ?? '';
  if (name !== '' && !keepsName(engine, request)) refuseName(engine.state, request, name, engine.writer.context().now);
}

/** Commits changes and those of the name. Rejects as {@link refuseName} throws, and as the registry does, with nothing changed. */
export async function commitNamed<T>(
  engine: Engine,
  request: Naming,
  changes: readonly Change[],
  commit: CommitChanges<T>,
): Promise<T> {
  const { state, writer } = engine;
  const { naming } = request;
  if (naming === undefined || keepsName(engine, request)) return await commit(changes);
  const { name, registry } = naming;
  if (name === '') return await commit([...changes, ...giveUpName(state, request, writer.context().now)]);
  return await registry.exclusively(async () => {
    const { now } = writer.context();
    refuseName(state, request, name, now);
    if (!(await registry.reserveMapName(name))) throw new NameTakenError();
    const named = takeName(state, request, name, now);
    const committed = await commit([...changes, ...named], () => refuseName(state, request, name, now));
    const forgotten = named.filter(({ projectId, until }) => projectId === '' && until === '');
    await registry.freeMapNames(forgotten.map((each) => each.name));
    return committed;
  });
}

/** Frees all reserved names that the accounts of a state do not keep: those that have expired, and those whose change was not written. */
export async function freeUnusedNames(
  { state, writer }: Engine,
  registry: NameRegistry & { reservedMapNames(): Promise<readonly string[]> },
): Promise<void> {
  await registry.exclusively(async () => {
    const { now } = writer.context();
    const isUnused = (name: string): boolean => {
      const present = state.names.get(name);
      return present === undefined || isExpired(present, now);
    };
    await registry.freeMapNames((await registry.reservedMapNames()).filter(isUnused));
  });
}
