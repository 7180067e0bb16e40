/** Takes the outcomes of diffs that were sent: the steps that take them back, what is held no longer, and what the user has to decide about. */
import { type Diff, invert, isPlacing } from '../../../lib/change/diff.ts';
import type { RebaseConflict } from '../../../lib/change/rebase.ts';
import { sameJson } from '../../../lib/change/same-json.ts';
import type { ProblemError } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { type Resource, type ResourceRef, refAt } from '../kinds/resource-kinds.ts';
import type { Conflicts } from './conflicts.ts';
import type { HistoryStep } from './history.ts';
import type { Notices } from './notices.ts';
import type { PendingWrites, Seen, Write } from './pending-writes.ts';
import type { ProjectStore } from './project-store.ts';
import type { Outcome } from './sync.ts';

interface Sending extends Pick<Write, 'isTyped' | 'seen'> {
  /** It takes a step back, or makes it again: it is older than all about which the user has to decide already. */
  readonly isTravel?: boolean;
}

interface OutcomesOptions {
  readonly store: ProjectStore;
  readonly conflicts: Conflicts;
  readonly pending: PendingWrites;
  readonly notices: Notices;
  /** A diff was refused after a part of it was carried out. */
  onPartRefused(error: ProblemError): void;
}

export class Outcomes {
  readonly #store: ProjectStore;
  readonly #conflicts: Conflicts;
  readonly #pending: PendingWrites;
  readonly #notices: Notices;
  readonly #onPartRefused: OutcomesOptions['onPartRefused'];

  constructor({ store, conflicts, pending, notices, onPartRefused }: OutcomesOptions) {
    this.#store = store;
    this.#conflicts = conflicts;
    this.#pending = pending;
    this.#notices = notices;
    this.#onPartRefused = onPartRefused;
  }

  /**
   * Takes what has become of a diff. Why the server refused it, if nothing of it was carried out.
   *
   * @param keep adds the step that takes it back to the history
   */
  settle(
    { done, conflicts, stopped, wasStale }: Outcome,
    sending: Sending,
    keep: (inverse: HistoryStep) => void,
  ): ProblemError | undefined {
    const { seen, isTyped, isTravel = false } = sending;
    if (done.changes.size > 0) keep({ diff: invert(done), focus: focusOf(done) });
    this.#replaceHeld(done, isTravel);
    for (const conflict of conflicts) this.ask(conflict, seen, isTravel);
    if (isTyped && wasStale && conflicts.length === 0 && isMerged(done, seen, this.#store))
      this.#notices.say(texts.saving.merged);
    if (done.changes.size === 0) return stopped?.refusal.error;
    if (stopped !== undefined) this.#onPartRefused(stopped.refusal.error);
    return undefined;
  }

  /** A diff has given members that are held other values. Those of a later one replace what is held; an earlier one is what it is based on. */
  #replaceHeld({ changes }: Diff, isTravel: boolean): void {
    for (const { id, to } of changes.values()) {
      const ref = this.#store.refOf(id);
      const held = [...this.#conflicts.heldOf(id)];
      if (to === undefined) this.#conflicts.release(id);
      else
        for (const [member, before] of held) {
          if (!Object.hasOwn(to.members, member)) continue;
          if (!isTravel || ref === undefined) this.#conflicts.release(id, [member]);
          else if ('error' in before) this.#conflicts.hold(ref, member, { ...before, base: to.members[member] });
        }
      if (held.length > 0) this.#pending.show([id]);
    }
  }

  /** Asks the user about a conflict. @param isTravel see {@link Sending.isTravel} */
  ask(conflict: RebaseConflict, seen: Seen, isTravel = false): void {
    const { id } = conflict;
    const present = this.#store.refOf(id);
    if (conflict.is === 'foreign') {
      if (present !== undefined) this.#notices.sayOf(present, texts.editor.foreign);
      return;
    }
    if (conflict.is === 'changed' && present !== undefined) {
      this.#notices.sayOf(present, texts.editor.foreign);
      for (const { member, ...held } of conflict.members)
        if (!isTravel || !this.#conflicts.isHeld(id, member)) this.#conflicts.hold(present, member, held);
    } else if (!isTravel || !this.#conflicts.isHeld(id)) {
      // Another user may have deleted it since.
      const mine =
        conflict.is === 'deleted' ? conflict.mine : Object.fromEntries(conflict.members.map((each) => [each.member, each.mine]));
      const was = seen.get(id) ?? (conflict.is === 'deleted' ? { ref: refAt(id, conflict.in), value: { id } } : undefined);
      if (was !== undefined) this.#conflicts.addDeleted(was.ref, was.value, mine);
    }
    this.#pending.show([id]);
  }

  /** Another user has deleted a resource. What is held of it is from now on in the conflict about that. */
  lose(ref: ResourceRef, value: Resource): void {
    this.#conflicts.lose(ref, value);
    this.#pending.show([ref.id]);
  }
}

/** The resource to show when a diff was taken back: the only one of it, or an artboard that it changes. */
function focusOf({ changes }: Diff): ResourceRef | undefined {
  const list = [...changes.values()].filter((change) => !isPlacing(change));
  const main = list.length === 1 ? list[0] : list.find(({ to }) => to?.in === 'artboards');
  const at = main?.to ?? main?.from;
  return main === undefined || at === undefined ? undefined : refAt(main.id, at.in);
}

/** True if another user has changed other members of what a diff changes. The version of an artboard also changes with its objects. */
function isMerged({ changes }: Diff, seen: Seen, store: ProjectStore): boolean {
  return [...changes.values()].some(({ id, to }) => {
    const before = seen.get(id)?.value ?? { id };
    const names = Object.keys(store.stored(id) ?? {}).filter((name) => !Object.hasOwn(to?.members ?? {}, name));
    return names.some((name) => !sameJson(before[name], store.stored(id)?.[name]));
  });
}
