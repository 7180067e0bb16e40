/**
 * Checks of the command line that yargs lacks. It would silently use the default for an option without a value, and accept any value of a
 * switch. On the other hand, it would reject a lone dash, which stands for standard input or output.
 */
import { dashed, isBoolean, isList, isOption, needsValue, parseContext, truth, UsageError } from './option-parsing.ts';

/** The path that replaces a lone dash. */
export const standardInput = '/dev/stdin';

/**
 * Normalizes arguments for yargs: switches get `true` or `false`. Records which options are given. Throws a {@link UsageError} for an
 * option without a value, and for one that is given twice and takes one value.
 */
export function checkedArguments(args: readonly string[]): string[] {
  const checked: string[] = [];
  const flags = new Set<string>();
  parseContext.flags = flags;
  let isValue = false;
  for (const [i, arg] of args.entries()) {
    // yargs would take a lone dash for a flag without a name.
    if (arg === '-') {
      checked.push(isValue ? `${checked.pop()}=${arg}` : standardInput);
      continue;
    }
    isValue = false;
    // Arguments after `--` are never options.
    if (arg === '--') return [...checked, ...args.slice(i)];
    const [, typed, value] = /^--([A-Za-z][^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
    const name = typed === undefined ? '' : dashed(typed);
    if (flags.has(name) && isOption(name) && !isBoolean(name) && !isList(name))
      throw new UsageError(`--${name} is given twice, and takes one value. Leave one of them out.`);
    flags.add(name.replace(/^no-/, ''));
    if (!isOption(name)) checked.push(arg);
    else if (isBoolean(name)) checked.push(value === undefined ? arg : `--${name}=${truth(value, `--${name}`)}`);
    else {
      const given = value ?? args[i + 1];
      if (given === undefined || given === '' || (value === undefined && given.startsWith('--'))) {
        throw new UsageError(`--${name} needs ${needsValue(name)}.`);
      }
      checked.push(arg);
      isValue = value === undefined;
    }
  }
  return checked;
}
