/** Arguments shared by the commands for keys and accounts. */
import { keyId } from '../model/key.ts';
import { UsageError } from './option-parsing.ts';

/** Validates the name of an account, given as option or argument `what`. */
export function accountName(what: string) {
  return (value: string | undefined): string => {
    if (typeof value !== 'string' || value.trim() === '') throw new UsageError(`${what} needs the name of an account.`);
    return value;
  };
}

/** The id of a key, from an id or a whole key. Error messages do not repeat text that looks like a key. */
export function keyIdFrom(given: string): string {
  const id = keyId(given);
  if (id === undefined && given.startsWith('mw_')) {
    throw new UsageError('The value looks like an incomplete key. Give the id instead, from: npx mapwright keys list');
  }
  return id ?? given;
}

/** Replaces an empty text by null, for JSON. */
export function orNull(text: string): string | null {
  return text === '' ? null : text;
}
