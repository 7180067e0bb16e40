/** What the user decides about conflicts with changes by others. */
import type { DiffBuilder } from '../../../lib/change/diff-builder.ts';
import { sameJson } from '../../../lib/change/same-json.ts';
import { texts } from '../console-texts.ts';
import { collectionKey, type Members, type ResourceRef } from '../kinds/resource-kinds.ts';
import type { ChangedConflict, Conflicts, DeletedConflict } from './conflicts.ts';
import type { Notices } from './notices.ts';
import type { ProjectStore } from './project-store.ts';

/** The part of the edits of a project that decisions need. */
interface Edits {
  readonly store: ProjectStore;
  readonly notices: Notices;
  begin(): DiffBuilder;
  run(edit: DiffBuilder): Promise<readonly ResourceRef[]>;
  change(id: string, members: Members): void;
  discard(id: string, members: readonly string[]): void;
  refresh(id: string): void;
}

export class Decisions {
  readonly #edits: Edits;
  readonly #conflicts: Conflicts;

  constructor(edits: Edits, conflicts: Conflicts) {
    this.#edits = edits;
    this.#conflicts = conflicts;
  }

  /** Writes the value of the user over that of another user. */
  keepMine({ ref, members }: ChangedConflict): void {
    this.takeTheirs({ is: 'changed', ref, members });
    this.#edits.change(ref.id, Object.fromEntries(members.map(({ member, mine }) => [member, mine])));
  }

  /** Keeps what another user has written. */
  takeTheirs({ ref, members }: ChangedConflict): void {
    this.#edits.discard(
      ref.id,
      members.map(({ member }) => member),
    );
  }

  /** Gives up the changes of a deleted resource. */
  discardDeleted({ ref }: DeletedConflict): void {
    this.#conflicts.release(ref.id);
  }

  /** Creates a deleted resource again, with the changes of the user. */
  async createAgain(conflict: DeletedConflict): Promise<ResourceRef | undefined> {
    const { ref, mine } = conflict;
    if (ref.kind === 'project') return undefined;
    const artboardId = ref.kind === 'object' ? this.#artboardFor(ref) : undefined;
    if (ref.kind === 'object' && artboardId === undefined) {
      this.#edits.notices.say(texts.saving.noArtboard, true);
      return undefined;
    }
    if (this.#compareReturned(conflict)) return ref;
    const { id, ...members } = mine;
    const edit = this.#edits.begin();
    edit.create(collectionKey({ kind: ref.kind, artboardId }), members, { id });
    const [created] = await this.#edits.run(edit);
    if (created !== undefined) this.discardDeleted(conflict);
    else if (this.#compareReturned(conflict)) return ref;
    return created;
  }

  /** If another user has brought a deleted resource back, the user decides about what is different. */
  #compareReturned({ ref: { id }, mine }: DeletedConflict): boolean {
    const { store } = this.#edits;
    const [ref, theirs] = [store.refOf(id), store.stored(id)];
    if (ref === undefined || theirs === undefined) return false;
    this.#conflicts.release(id);
    for (const [member, value] of Object.entries(mine))
      if (!sameJson(theirs[member], value))
        this.#conflicts.hold(ref, member, { base: theirs[member], mine: value, theirs: theirs[member] });
    this.#edits.refresh(id);
    return true;
  }

  /** The artboard of an object; the first one if it was deleted, too. */
  #artboardFor({ artboardId }: ResourceRef): string | undefined {
    const present = this.#edits.store.ids({ kind: 'artboard' });
    return present.find((id) => id === artboardId) ?? present[0];
  }
}
