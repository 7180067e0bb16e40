/**
 * Prepares an expression for the parser: names in braces become identifiers, and what would make the parser recurse deeply is counted before
 * it starts.
 */
import { bounds } from '../evaluation.ts';
import { grouped } from '../evaluation-problems.ts';

/** The first character of the identifier of a name: from the private use area, where no expression has any. */
const firstSlot = 0xe000;
const slotsMax = 0x1900;
/** Signs and `!` in a row, and `?` in all. */
const prefixesMax = 64;
const choicesMax = 256;

export interface ExpressionSource {
  /** The expression with an identifier of the same length in place of each name, so that positions stay. */
  readonly text: string;
  /** The name of a slot. */
  readonly names: readonly string[];
}

/** A text that is no expression. */
export interface ExpressionFault {
  /** A sentence without a full stop. */
  readonly detail: string;
  /** The place in the text, if there is one, in UTF-16 code units from its beginning. */
  readonly at?: number;
}

/** A fault at a place. People count characters from 1. */
export const faultAt = (at: number, before: string, after = ''): ExpressionFault => ({
  detail: `${before} at character ${at + 1}${after}`,
  at,
});

/** The name that an identifier is in place of: its position in `names`; `undefined` for any other identifier. */
export function slotOf(identifier: string, names: readonly string[]): number | undefined {
  const slot = identifier.charCodeAt(0) - firstSlot;
  const name = names[slot];
  return name !== undefined && identifier === identifierOf(slot, name) ? slot : undefined;
}

/** Puts the names back into a message of the parser. */
export function withNames(message: string, names: readonly string[]): string {
  return message.replace(/[\ue000-\uf8ff]_*/g, (found) => `{${names[found.charCodeAt(0) - firstSlot] ?? ''}}`);
}

const identifierOf = (slot: number, name: string): string => String.fromCharCode(firstSlot + slot) + '_'.repeat(name.length + 1);

/** The source, or why there is none. */
export function prepareExpression(expression: string): ExpressionSource | ExpressionFault {
  if (expression.length > bounds.textLength)
    return { detail: `the expression is longer than ${grouped(bounds.textLength)} characters` };
  const names: string[] = [];
  const slots = new Map<string, number>();
  let text = '';
  let [taken, depth, prefixes, choices] = [0, 0, 0, 0];
  for (let i = 0; i < expression.length; i++) {
    const character = expression[i] as string;
    if (character === ' ' || character === '\t' || character === '\n' || character === '\r') continue;
    prefixes = '-+!~'.includes(character) ? prefixes + 1 : 0;
    if (prefixes > prefixesMax) return { detail: `the expression has more than ${prefixesMax} signs in a row` };
    if (character === '"' || character === "'") {
      i = endOfText(expression, i);
    } else if (character === '(' || character === '[') {
      if (++depth > bounds.bracketDepth) return { detail: `the brackets are more than ${bounds.bracketDepth} deep` };
    } else if (character === ')' || character === ']') {
      depth--;
    } else if (character === '?') {
      if (++choices > choicesMax) return { detail: `the expression has more than ${choicesMax} question marks` };
    } else if (character === '}' || (character >= '\ue000' && character <= '\uf8ff')) {
      return faultAt(i, `unexpected "${character}"`);
    } else if (character === '{') {
      const end = expression.indexOf('}', i);
      if (end < 0) return faultAt(i, 'the brace', ' is not closed');
      const name = expression.slice(i + 1, end);
      let slot = slots.get(name);
      if (slot === undefined) {
        slot = names.push(name) - 1;
        slots.set(name, slot);
        if (slot >= slotsMax) return { detail: `the expression has more than ${grouped(slotsMax)} names` };
      }
      text += expression.slice(taken, i) + identifierOf(slot, name);
      taken = end + 1;
      i = end;
    }
  }
  return { text: text + expression.slice(taken), names };
}

/** The closing quotation mark, or the end. */
function endOfText(expression: string, from: number): number {
  const mark = expression[from];
  for (let i = from + 1; i < expression.length; i++) {
    if (expression[i] === '\\') i++;
    else if (expression[i] === mark) return i;
  }
  return expression.length;
}
