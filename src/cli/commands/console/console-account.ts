/** The account that the console opens if none is named. */
import { UsageError } from '../../option-parsing.ts';
import { shellWord } from '../../output/format-values.ts';

/** Name of the account that the first start creates. */
export const firstAccount = 'default';

/** `default`, or the only account. Throws a UsageError with the list if neither exists. */
export function consoleAccount(names: readonly string[]): string {
  const [only] = names;
  if (names.includes(firstAccount)) return firstAccount;
  if (names.length === 1 && only !== undefined) return only;
  if (names.length === 0) throw new UsageError('There are no accounts yet. Create one with: npx mapwright keys create NAME');
  const lines = names.slice(0, 20).map((name) => `  npx mapwright console --account ${shellWord(name)}`);
  const more = names.length > lines.length ? `\n  and ${names.length - lines.length} more: npx mapwright accounts list` : '';
  throw new UsageError(`There are several accounts. Choose one:\n${lines.join('\n')}${more}`);
}
