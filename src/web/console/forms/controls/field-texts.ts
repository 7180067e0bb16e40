/** How forms call members and their values. The texts are declared with the members: `generated/forms.ts`. */
import { spelt } from '../../console-texts.ts';
import { fieldOf } from '../../kinds/resource-kinds.ts';

/** @param kind may be one without a form, such as `file` */
export const labelOf = (kind: string, member: string): string => fieldOf(kind, member)?.label ?? spelt(member);

/** The text of a value of a choice. */
export function choiceOf(kind: string, member: string, value: string): string {
  const { choices = {} } = fieldOf(kind, member) ?? {};
  return (Object.hasOwn(choices, value) ? choices[value] : undefined) ?? spelt(value.replaceAll('-', ' '));
}
