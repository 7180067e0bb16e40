/**
 * A pure function that keeps its last result: for a slow one that is usually called with an equal argument again.
 *
 * @param nameOf equal for equal arguments
 */
export function keepLast<Argument, Result>(
  make: (argument: Argument) => Result,
  nameOf: (argument: Argument) => string,
): (argument: Argument) => Result {
  let last: { readonly name: string; readonly result: Result } | undefined;
  return (argument) => {
    const name = nameOf(argument);
    if (last?.name !== name) last = { name, result: make(argument) };
    return last.result;
  };
}
