/** From the operations of an agent to those of a batch: names in conditions and styles of actions, and patches that keep what they do not name. */
import { idSource } from '../../lib/text/ids.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly as?: string | undefined;
  readonly merge?: boolean | undefined;
}

const ids = idSource();

/**
 * The API knows names of results in paths and in members that are identifiers. In conditions and styles, which are open structures, it takes
 * texts as they are: there the names are replaced here, with an identifier that is given to what is created.
 */
export function batchOperations(operations: readonly Operation[]): readonly object[] {
  const given = new Map<string, string>();
  return operations.map(({ merge, ...operation }) => {
    const { method, body, as } = operation;
    const named = body === undefined ? {} : { body: withNames(body, given) };
    if (method === 'PATCH') return { ...operation, ...named, ...(body === undefined ? {} : { merge: merge ?? true }) };
    if (method !== 'POST' || as === undefined) return { ...operation, ...named };
    const id = ids.next();
    given.set(`{${as}}`, id);
    return { ...operation, ...named, id };
  });
}

const open = /^(?:conditions|otherwise|style_.*)$/;

const withNames = (body: object, given: ReadonlyMap<string, string>): object =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, open.test(name) ? replaced(value, given) : value]));

function replaced(value: unknown, given: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return given.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => replaced(each, given));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, given)]));
}
