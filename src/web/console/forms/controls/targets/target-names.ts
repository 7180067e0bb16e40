/** How a list to choose from calls its members: equal names are followed by artboard, colour and number. */
import { texts } from '../../../console-texts.ts';
import type { Resource } from '../../../kinds/resource-kinds.ts';

/** What is shown of a member. */
export interface TargetName {
  readonly id: string;
  readonly name: string;
  /** Of an object with the name of another one; '' for others. */
  readonly colour: string;
}

/** @param artboardOf the name of the artboard of an object; '' for what is on none */
export function targetNames(targets: readonly Resource[], artboardOf: (id: string) => string): readonly TargetName[] {
  const names = targets.map((target) => String(target['name'] || target['title'] || texts.unnamed));
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const before = new Map<string, number>();
  return targets.map(({ id, ...members }, at) => {
    const name = names[at] as string;
    if (counts.get(name) === 1) return { id, name, colour: '' };
    const n = (before.get(name) ?? 0) + 1;
    before.set(name, n);
    const colour = typeof members['color'] === 'string' ? members['color'] : '';
    return { id, colour, name: texts.forms.equalName(name, artboardOf(id), colour, n) };
  });
}
