/** Names that go into a path. In an address `..` takes out what stands before it, and nothing and `.` go: it would be another path. */

/** Refuses names that would make another path of this one: `{project_id}` is to stay one segment. */
export function checkNames(path: string, names: Readonly<Record<string, unknown>> = {}): void {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) checkName(`params.path.${name}`, names[name]);
}

/** @param place where it was said */
export function checkName(place: string, name: unknown): void {
  if (typeof name !== 'string' || /^\.{0,2}$/.test(name))
    throw new TypeError(
      `${place} is ${JSON.stringify(name)}, which is no identifier. It has to be a string, and not '', '.' or '..'.`,
    );
}
