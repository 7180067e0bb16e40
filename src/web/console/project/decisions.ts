/** What the user decides about conflicts with changes by others. */
import { texts } from '../console-texts.ts';
import type { ChangedConflict, Conflicts, DeletedConflict } from './conflicts.ts';
import type { Drafts } from './drafts.ts';
import type { EditOperation } from './history.ts';
import type { ProjectStore } from './project-store.ts';
import type { ResourceRef } from './resource-kinds.ts';

interface DecisionsOptions {
  readonly store: ProjectStore;
  readonly conflicts: Conflicts;
  readonly drafts: Drafts;
  /** Gives up the values of members. */
  discard(id: string, members: readonly string[]): void;
  /** Carries operations out as one step of the history. The resources that were created. */
  run(operations: readonly EditOperation[]): Promise<readonly ResourceRef[]>;
  say(text: string, isProblem: boolean): void;
}

export class Decisions {
  readonly #options: DecisionsOptions;

  constructor(options: DecisionsOptions) {
    this.#options = options;
  }

  /** Writes the value of the user over that of another user. */
  keepMine({ ref, members }: ChangedConflict): void {
    const { store, conflicts, drafts } = this.#options;
    conflicts.decide(
      ref.id,
      members.map(({ member }) => member),
    );
    for (const { member, mine } of members) store.setDraft(ref.id, member, mine, { value: store.stored(ref.id)?.[member] });
    drafts.save(ref.id);
  }

  /** Keeps what another user has written. */
  takeTheirs({ ref, members }: ChangedConflict): void {
    const names = members.map(({ member }) => member);
    this.#options.conflicts.decide(ref.id, names);
    this.#options.discard(ref.id, names);
  }

  /** Gives up the changes of a deleted resource. */
  discardDeleted({ ref }: DeletedConflict): void {
    this.#options.store.dropDrafts(ref.id);
    this.#options.conflicts.decide(ref.id);
  }

  /** Creates a deleted resource again, with the changes of the user. */
  async createAgain(conflict: DeletedConflict): Promise<ResourceRef | undefined> {
    const { ref, mine } = conflict;
    if (ref.kind === 'project') return undefined;
    const { id, ...value } = mine;
    const artboardId = ref.kind === 'object' ? this.#artboardFor(ref) : undefined;
    if (ref.kind === 'object' && artboardId === undefined) {
      this.#options.say(texts.saving.noArtboard, true);
      return undefined;
    }
    const at = { kind: ref.kind, artboardId };
    const [created] = await this.#options.run([{ op: 'create', at, id, value }]);
    if (created !== undefined) this.discardDeleted(conflict);
    return created;
  }

  /** The artboard of an object; the first one if it was deleted, too. */
  #artboardFor({ artboardId }: ResourceRef): string | undefined {
    const present = this.#options.store.ids({ kind: 'artboard' });
    return present.find((id) => id === artboardId) ?? present[0];
  }
}
