/** JSON Merge Patch (RFC 7396) of a resource: turns the patch into the body of an update, with the resource as it is. */
import { type FieldError, pointerTo } from '../../lib/field-error.ts';
import type { Encoding } from '../generate.ts';
import { JsonText } from '../json-text.ts';
import type { Resource } from '../resource.ts';
import type { Body, Value } from '../value.ts';
import { isObject } from './check-body.ts';

/**
 * The body of an update that does what the patch says: `null` sets a member to its default, objects in open structures are merged, and
 * everything else replaces what is there. It is not checked.
 *
 * @param add called for each `null` that is not possible
 */
export function bodyOfPatch(resource: Resource, current: Value, patch: Body, add: (error: FieldError) => void): Body {
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(patch)) {
    const field = resource.fields.find((field) => field.name === name);
    if (value !== null) {
      body[name] = isObject(value) ? mergedMember(field?.encoding, current[name] ?? field?.fallback, value) : value;
    } else if (resource.collections.some((held) => held.name === name)) {
      body[name] = [];
    } else {
      const refusal = refusalOf(resource, name);
      // The check of the body explains a name that does not exist.
      if (refusal === undefined) body[name] = field === undefined ? null : field.fallback;
      else add({ pointer: pointerTo('', name), detail: refusal });
    }
  }
  return body;
}

/** Why `null` is not possible for a member; `undefined` if it sets the default. */
function refusalOf({ fields, inputs, readOnly }: Resource, name: string): string | undefined {
  if (readOnly.includes(name)) return 'is read-only: omit it';
  if (inputs.includes(name)) return 'is not stored, so null cannot remove it: omit it';
  const field = fields.find((field) => field.name === name);
  return field !== undefined && field.fallback === undefined ? 'is required, so null cannot remove it' : undefined;
}

/** An object in a member: open structures are merged. */
function mergedMember(encoding: Encoding | undefined, current: unknown, patch: Body): Body {
  if (encoding === 'json') return merged(current instanceof JsonText ? current.value : undefined, patch);
  return encoding === 'object' ? merged(current, patch) : patch;
}

/** MergePatch of RFC 7396, 2. Members keep their places; new ones come last. */
function merged(target: unknown, patch: Body): Body {
  // A member may have any name, such as `__proto__`: an assignment would not make it.
  const result = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, isObject(value) ? merged(result.get(name), value) : value);
  }
  return Object.fromEntries(result);
}
