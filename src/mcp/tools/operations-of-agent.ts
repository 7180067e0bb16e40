/** From the operations of an agent to those of a batch: names in conditions and styles of actions, and patches that keep what they do not name. */
import { createHash } from 'node:crypto';
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
 *
 * @param retryKey a call that is repeated with it must become the same batch; `undefined` for one that is not
 */
export function batchOperations(operations: readonly Operation[], retryKey: string | undefined): readonly object[] {
  const given = new Map<string, string>();
  return operations.map(({ merge, ...operation }, at) => {
    const { method, body, as } = operation;
    const named = body === undefined ? {} : { body: withNames(body, given) };
    if (method === 'PATCH') return { ...operation, ...named, ...(body === undefined ? {} : { merge: merge ?? true }) };
    if (method !== 'POST' || as === undefined) return { ...operation, ...named };
    const id = retryKey === undefined ? ids.next() : idOf(`${retryKey}\n${at}`);
    given.set(`{${as}}`, id);
    return { ...operation, ...named, id };
  });
}

/** A UUIDv7 that is the same for the same text: its time is long ago, and the rest a digest. */
function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const time = Date.UTC(2026).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
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
