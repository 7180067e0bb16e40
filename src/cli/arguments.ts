/**
 * What yargs would let pass without a word: an option without its value, for which the default would be taken, and a switch with a value
 * that is none. Both are wrong usage. And what it would not let pass: a dash by itself, for standard input and output.
 */
import { commandHere, dashed, isBoolean, isOption, needsValue, truth, UsageError } from './options.ts';

/** What a dash in the place of a file stands for. */
export const standardInput = '/dev/stdin';

/**
 * The arguments as yargs may have them: switches are `true` or `false`. Notes which options are among them. Throws a {@link UsageError} for an
 * option without its value.
 */
export function checkedArguments(args: readonly string[]): string[] {
  const checked: string[] = [];
  const flags = new Set<string>();
  commandHere.flags = flags;
  let isValue = false;
  for (const [i, arg] of args.entries()) {
    // yargs takes it for a flag without a name.
    if (arg === '-') {
      checked.push(isValue ? `${checked.pop()}=${arg}` : standardInput);
      continue;
    }
    isValue = false;
    // What follows is no option, whatever it looks like.
    if (arg === '--') return [...checked, ...args.slice(i)];
    const [, typed, value] = /^--([A-Za-z][^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
    const name = typed === undefined ? '' : dashed(typed);
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
