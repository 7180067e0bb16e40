/** Finds responses that are JSON of another form than the variables expect, such as an error in place of the data. */
import { responseReaders } from './asked-sources.ts';
import type { Evaluation } from './evaluation.ts';
import { isObject, listMember, type OpenObject, textMember } from './open-json.ts';

/**
 * True if a data source has a response in which none of the variables that read it finds a value. A response that lacks single members is
 * usable: many services leave out what is empty.
 */
export function hasUnusableResponse(
  project: OpenObject,
  responses: Readonly<Record<string, unknown>>,
  values: Evaluation['values'],
): boolean {
  const isUsed = new Map<string, boolean>();
  for (const variable of listMember(project, 'variables').filter(isObject)) {
    const source = textMember(variable, 'data_source_id');
    if (!responseReaders.has(textMember(variable, 'type', 'primitive')) || !Object.hasOwn(responses, source)) continue;
    isUsed.set(source, isUsed.get(source) === true || Object.hasOwn(values, textMember(variable, 'id')));
  }
  return [...isUsed.values()].includes(false);
}
