/** Which data sources an evaluation asks: those that variables read, in the order of the project, up to a bound. */
import { bounds } from './evaluation.ts';
import { type OpenObject, textMember } from './open-json.ts';

/** Types of variables that read a response. */
export const responseReaders: ReadonlySet<string> = new Set(['primitive', 'iterator', 'coords-from-data-source']);

/** In slices: each step of the generator is short. */
export function* askedSources<T extends { readonly id: string }>(
  variables: Iterable<OpenObject>,
  dataSources: Iterable<T>,
): Generator<void, T[]> {
  const read = new Set<string>();
  for (const variable of variables) {
    if (responseReaders.has(textMember(variable, 'type', 'primitive'))) read.add(textMember(variable, 'data_source_id'));
    yield;
  }
  const asked: T[] = [];
  for (const source of dataSources) {
    if (asked.length >= bounds.askedSources) break;
    if (read.has(source.id)) asked.push(source);
    yield;
  }
  return asked;
}
