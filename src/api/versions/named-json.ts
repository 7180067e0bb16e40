/** JSON of versions with the names of people: they are stored as identifiers, so that somebody who is erased has no name anywhere. */
import { nameOfActor } from '../../engine/actors.ts';
import type { Resource } from '../../model/resource.ts';
import { versions } from '../../model/resources.ts';
import type { Value } from '../../model/value.ts';
import type { Capture } from '../../store/leaf-list.ts';
import type { Member } from '../../store/member.ts';
import type { State } from '../../store/state.ts';
import type { ShownJson } from '../crud/json-cache.ts';

export class NamedJson implements ShownJson {
  readonly whole: ShownJson;
  readonly forReaders: ShownJson;
  readonly #json: ShownJson;
  readonly #state: State;

  /** @param whole the one that shows secrets, if that is another */
  constructor(json: ShownJson, state: State, whole?: ShownJson) {
    this.#json = json;
    this.#state = state;
    this.whole = whole ?? this;
    this.forReaders = whole === undefined ? new NamedJson(json.forReaders, state, this) : this;
  }

  value(resource: Resource, value: Value): Value {
    const shown = this.#json.value(resource, value);
    if (resource !== versions) return shown;
    const label = shown['key_label'] as string;
    const name = nameOfActor(this.#state, label);
    return name === label ? shown : { ...shown, key_label: name };
  }

  json(resource: Resource, member: Member): string {
    if (resource !== versions) return this.#json.json(resource, member);
    const shown = this.value(resource, member.value);
    return shown === member.value ? this.#json.json(resource, member) : resource.json(shown);
  }

  list(resource: Resource, capture: Capture): Buffer | undefined {
    return resource === versions ? undefined : this.#json.list(resource, capture);
  }
}
