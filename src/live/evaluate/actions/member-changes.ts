/** New members of resources that exist. */
import type { Members } from '../evaluation.ts';
import { member, type OpenObject, openRecord } from '../open-json.ts';

export class Changes {
  readonly #defaults: Members;
  readonly #changed = new Map<string, { readonly json: OpenObject; readonly members: Record<string, unknown> }>();

  constructor(defaults: Members) {
    this.#defaults = defaults;
  }

  set(id: string, json: OpenObject, members: Members): void {
    let changed = this.#changed.get(id);
    if (changed === undefined) {
      changed = { json, members: openRecord<unknown>() };
      this.#changed.set(id, changed);
    }
    Object.assign(changed.members, members);
  }

  /** Without members that have the value of the project. */
  get result(): Record<string, Members> {
    const result = openRecord<Members>();
    for (const [id, { json, members }] of this.#changed) {
      const differing = Object.entries(members).filter(([name, value]) => value !== (member(json, name) ?? this.#defaults[name]));
      if (differing.length > 0) result[id] = Object.fromEntries(differing);
    }
    return result;
  }
}
