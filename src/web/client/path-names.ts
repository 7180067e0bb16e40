/** Checks values in paths. In a URL, '..' removes the segment before it, and '' and '.' disappear: the path would change. */

/** Throws for values that would change the path: `{project_id}` must be one segment. */
export function checkNames(path: string, names: Readonly<Record<string, unknown>> = {}): void {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) checkPathName(`params.path.${name}`, names[name]);
}

/** @param place the name of the parameter, for the message */
export function checkPathName(place: string, name: unknown): void {
  if (typeof name !== 'string' || /^\.{0,2}$/.test(name))
    throw new TypeError(
      `${place} is ${JSON.stringify(name)}, which is not an identifier. It must be a string, and not '', '.' or '..'.`,
    );
}
