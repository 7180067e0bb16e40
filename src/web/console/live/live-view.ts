/**
 * The Live switch of the editor: whether map, list and form show the project as its data make it; this tab remembers it. What an action changes or creates is
 * then not editable; everything else is.
 */
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Evaluation } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import type { ProjectStore } from '../document/project-store.ts';
import type { Kind, Members, Resource } from '../kinds/resource-kinds.ts';
import { nothingEvaluated } from './live-api.ts';
import type { LiveState } from './live-state.ts';

/** An object, or a popup, that an action has created. */
export interface Created {
  readonly kind: Extract<Kind, 'object' | 'popup'>;
  readonly value: Resource;
  readonly artboardId: string;
  readonly actionId: string;
}

export class LiveView {
  readonly isOn: Signal<boolean>;
  readonly #store: ProjectStore;
  readonly #live: LiveState;
  readonly #dispose: () => void;

  /** @param isPast whether the store is a former state, which is not evaluated */
  constructor(store: ProjectStore, live: LiveState, isPast: boolean) {
    this.#store = store;
    this.#live = live;
    const key = `mapwright-live-${store.id}`;
    this.isOn = signal(!isPast && sessionStorage.getItem(key) !== null);
    this.#dispose = effect(() => {
      if (!this.isOn.value) {
        if (!isPast) sessionStorage.removeItem(key);
        return undefined;
      }
      sessionStorage.setItem(key, 'on');
      return this.#live.watch();
    });
  }

  /** What actions do; nothing while the switch is off. */
  readonly effects: ReadonlySignal<Evaluation> = computed(
    () => (this.isOn.value ? this.#live.evaluation.value : undefined) ?? nothingEvaluated,
  );

  readonly #created = computed(() => {
    const found = new Map<string, Created>();
    for (const { action_id: actionId, artboard_id: artboardId, object, popup } of this.effects.value.created) {
      found.set(object.id, { kind: 'object', value: object, artboardId, actionId });
      if (popup !== null) found.set(popup.id, { kind: 'popup', value: popup, artboardId, actionId });
    }
    for (const { action_id: actionId, object_id, popup } of this.effects.value.created_popups) {
      const artboardId = this.#store.refOf(object_id)?.artboardId ?? '';
      found.set(popup.id, { kind: 'popup', value: popup, artboardId, actionId });
    }
    return found;
  });

  /** An object or popup that an action has created. */
  createdAt(id: string): Created | undefined {
    return this.#created.value.get(id);
  }

  /** Identifiers of what actions have created: the objects of an artboard, or all popups. */
  createdIds(kind: Kind, artboardId: string): string[] {
    return [...this.#created.value].flatMap(([id, created]) =>
      created.kind === kind && (kind === 'popup' || created.artboardId === artboardId) ? [id] : [],
    );
  }

  /** The members of an object or popup that actions have changed. */
  changedAt(id: string): Members | undefined {
    const { objects, popups } = this.effects.value;
    return Object.hasOwn(objects, id) ? objects[id] : Object.hasOwn(popups, id) ? popups[id] : undefined;
  }

  /** Whether actions have changed or created it, so that it is not editable now. */
  isLocked(id: string): boolean {
    return this.changedAt(id) !== undefined || this.createdAt(id) !== undefined;
  }

  /** A resource as the map shows it. */
  shown(id: string): Resource | undefined {
    const stored = this.#store.shown(id);
    if (stored === undefined) return this.createdAt(id)?.value;
    const changed = this.changedAt(id);
    return changed === undefined ? stored : { ...stored, ...changed };
  }

  /** What a list calls it. Popups that actions create have a title, and all the same name. */
  nameOf(id: string): string {
    const { name, title }: Members = this.shown(id) ?? {};
    return String((this.createdAt(id)?.kind === 'popup' && title) || name || texts.unnamed);
  }

  /** The actions that have created it, or that set one of the members that are changed. */
  actionsOf(id: string): Resource[] {
    const created = this.createdAt(id);
    if (created !== undefined) return [this.#store.shown(created.actionId)].filter((action) => action !== undefined);
    const changed = Object.keys(this.changedAt(id) ?? {});
    return this.#store
      .members({ kind: 'action' })
      .filter((action) => this.#isTarget(action, id) && changed.some((name) => sets(action, name)));
  }

  #isTarget({ type, object_id, object_ids, popup_id, match_variable_id, match_artboard_id }: Resource, id: string): boolean {
    if (type === 'modify-object') return object_id === id;
    if (match_variable_id) {
      // The evaluation does not say which objects it named: those on its artboard.
      const objectId = type === 'modify-popup' ? String(this.#store.shown(id)?.['attachedTo']) : id;
      return !match_artboard_id || this.#store.refOf(objectId)?.artboardId === match_artboard_id;
    }
    if (type === 'modify-objects') return Array.isArray(object_ids) && object_ids.includes(id);
    return type === 'modify-popup' && popup_id === id;
  }

  close(): void {
    this.#dispose();
  }
}

/** Whether an action sets a member of its target. */
function sets(action: Resource, name: string): boolean {
  const style = action[`style_${name}`];
  if (style !== undefined) return typeof style === 'object' && (style as Members | null)?.['type'] !== 'current-value';
  // `buttonText` of a popup is `popup_button_text` of an action.
  const text = action[`popup_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`];
  return typeof text === 'string' && text !== '';
}
