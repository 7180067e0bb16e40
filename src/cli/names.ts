/** Arguments that more than one command about keys and accounts takes. */
import { keyId } from '../model/key.ts';
import { UsageError } from './options.ts';

/** The name of an account, as an option or an argument of that name. */
export function accountName(what: string) {
  return (value: string | undefined): string => {
    if (typeof value !== 'string' || value.trim() === '') throw new UsageError(`${what} needs the name of an account.`);
    return value;
  };
}

/** A key's id, also of a key that is given whole; what looks like a key and is none is not repeated. */
export function idIn(given: string): string {
  const id = keyId(given);
  if (id === undefined && given.startsWith('mw_')) {
    throw new UsageError('That looks like a key, but is not a whole one. Give its id instead, from: npx mapwright keys list');
  }
  return id ?? given;
}

/** JSON has a word for what is not there. */
export function orNull(text: string): string | null {
  return text === '' ? null : text;
}
