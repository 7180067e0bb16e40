/**
 * What yargs would let pass without a word: an option without its value, for which the default would be taken, and a switch with a value
 * that is none. Both are wrong usage.
 */
import { dashed, isBoolean, isOption, needsValue, truth, UsageError } from './options.ts';

/** The arguments as yargs may have them: switches are `true` or `false`. Throws a {@link UsageError} for an option without its value. */
export function checkedArguments(args: readonly string[]): string[] {
  const checked: string[] = [];
  for (const [i, arg] of args.entries()) {
    // What follows is no option, whatever it looks like.
    if (arg === '--') return [...checked, ...args.slice(i)];
    const [, typed, value] = /^--([A-Za-z][^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
    const name = typed === undefined ? '' : dashed(typed);
    if (!isOption(name)) checked.push(arg);
    else if (isBoolean(name)) checked.push(value === undefined ? arg : `--${name}=${truth(value, `--${name}`)}`);
    else {
      const given = value ?? args[i + 1];
      if (given === undefined || given === '' || (value === undefined && given.startsWith('--'))) {
        throw new UsageError(`--${name} needs ${needsValue(name)}.`);
      }
      checked.push(arg);
    }
  }
  return checked;
}
