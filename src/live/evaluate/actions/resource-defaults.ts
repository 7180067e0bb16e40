/** The defaults of objects and popups, from the declarations of the resources. */
import { ObjectSchema } from '../../../model/resources/object.ts';
import { PopupSchema } from '../../../model/resources/popup.ts';

interface Declared {
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly readOnly?: boolean;
}

/** The members of a new resource with their defaults, in the order of the API. Optional members are absent while they have theirs. */
function defaultsOf(schema: {
  readonly properties: object;
  readonly required?: readonly string[];
}): Readonly<Record<string, unknown>> {
  const members = Object.entries(schema.properties as Readonly<Record<string, Declared>>);
  return Object.fromEntries(
    members.filter(([name]) => schema.required?.includes(name)).map(([name, declared]) => [name, declared.default ?? '']),
  );
}

export const objectDefaults = defaultsOf(ObjectSchema);
export const popupDefaults = defaultsOf(PopupSchema);

/** The words of an object's member; `undefined` if it is no enum. */
export const wordsOf = (name: string): readonly unknown[] | undefined =>
  (ObjectSchema.properties as unknown as Readonly<Record<string, Declared>>)[name]?.enum;
