/** The changes of popups by actions: texts of those that exist, and new ones for objects that a list names. */
import { bounds, type CreatedPopup, type Members } from '../evaluation.ts';
import { grouped } from '../evaluation-problems.ts';
import { member, textMember } from '../open-json.ts';
import { byText, type Found, type ProjectIndex } from '../project-index.ts';
import type { ActionReader } from './action-reader.ts';
import type { Matched } from './lists/followed-list.ts';
import { Changes } from './member-changes.ts';
import { fixedMembers } from './popup-texts.ts';
import { popupDefaults } from './resource-defaults.ts';

export class PopupChanges {
  readonly #index: ProjectIndex;
  readonly #changes = new Changes(popupDefaults);
  /** By identifier of the object. */
  readonly #created = new Map<string, { readonly action_id: string; readonly popup: Record<string, unknown> }>();
  #byObject: ReadonlyMap<string, readonly Found[]> | undefined;

  constructor(index: ProjectIndex) {
    this.#index = index;
  }

  /** By identifier of the popup: members that differ from the project. */
  get changed(): Readonly<Record<string, Members>> {
    return this.#changes.result;
  }

  get created(): CreatedPopup[] {
    return [...this.#created].map(([object_id, { action_id, popup }]) => ({ action_id, object_id, popup }));
  }

  set({ id, json }: Found, members: Members): void {
    this.#changes.set(id, json, members);
  }

  /** Sets texts of the popups of objects, and creates those that are missing if the action says so. */
  setOfObjects(reader: ActionReader, { objects, members }: Matched): void {
    const { action } = reader;
    const creates = member(action.json, 'create_popup') === true;
    for (const { id } of objects) {
      const popups = this.#attached.get(id) ?? [];
      for (const popup of popups) this.set(popup, members);
      const created = this.#created.get(id);
      if (created !== undefined) Object.assign(created.popup, members);
      else if (popups.length === 0 && creates && this.#mayCreate(reader)) {
        const popup = { ...fixedMembers(action.json), id: `live-${id}-popup`, attachedTo: id, ...members };
        this.#created.set(id, { action_id: action.id, popup });
      }
    }
  }

  #mayCreate(reader: ActionReader): boolean {
    if (this.#created.size < bounds.createdPopups) return true;
    reader.problem('', `the actions create more than ${grouped(bounds.createdPopups)} popups; the others are left out`);
    return false;
  }

  get #attached(): ReadonlyMap<string, readonly Found[]> {
    this.#byObject ??= byText(this.#index.popups.values(), ({ json }) => textMember(json, 'attachedTo'));
    return this.#byObject;
  }
}
