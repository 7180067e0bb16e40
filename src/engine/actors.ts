/** Who made a change, as versions and reports name them: the person, or the key of a program. */
import { isUuid } from '../lib/text/ids.ts';
import { formerUser } from '../model/people/person.ts';
import type { State } from '../store/state.ts';

/** Begins the text of a person, whose name may change. */
const ofPerson = 'person:';

/** The text that a version keeps: a person by identifier, or the label of a key. */
export const actorLabel = ({ keys }: Pick<State, 'keys'>, by: string): string =>
  isUuid(by) ? ofPerson + by : (keys.get(by)?.label ?? '');

/** The name behind the text that a version keeps. */
export function nameOfActor({ persons }: Pick<State, 'persons'>, label: string): string {
  return label.startsWith(ofPerson) ? (persons.get(label.slice(ofPerson.length))?.name ?? formerUser) : label;
}
