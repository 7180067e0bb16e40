/** Texts with the values of variables: `Free: {Desks} - {Desks taken}`. `{{` is a literal `{`. */
import { type AddressUse, addressOf, addressRules } from '../../../lib/draw/link-rules.ts';
import { bounds } from '../evaluation.ts';
import { grouped, quoted } from '../evaluation-problems.ts';
import type { EvaluationRun } from '../evaluation-run.ts';
import { kindOf, textIn } from '../values/live-value.ts';
import type { Scope } from './expression.ts';
import { HtmlPieces, type Part } from './html-pieces.ts';

/** What the text is used for: it decides how values are escaped. */
export type TemplateUse = 'text' | 'html' | 'link' | 'picture';

/** Called with the reason for each value that is left out. */
export type OnLeftOut = (reason: string) => void;

/** Appends the part of a text; `undefined` leaves the whole text out. */
type Piece = string | ((item: number, leftOut: OnLeftOut) => string | undefined);

export class TextTemplate {
  /** Positions of the variables that it reads. */
  readonly reads: ReadonlySet<number>;
  /** What was wrong with it before any value was filled in. */
  readonly problems: readonly string[];
  readonly #pieces: readonly Piece[];
  readonly #run: EvaluationRun;

  constructor(text: string, use: TemplateUse, run: EvaluationRun, scope: Scope) {
    const problems: string[] = [];
    const isTooLong = text.length > bounds.textLength;
    if (isTooLong) problems.push(`the text is longer than ${grouped(bounds.textLength)} characters`);
    const parts = isTooLong ? [] : partsOf(text, scope, problems);
    this.#run = run;
    this.#pieces =
      use === 'html' ? htmlPieces(parts, run, problems) : use === 'text' ? plain(parts, run) : address(parts, use, run);
    this.reads = new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [part.variable])));
    this.problems = problems;
  }

  /** The text with values; a value that is left out is empty. `undefined` if the text as a whole is left out. */
  fill(item: number, leftOut: OnLeftOut): string | undefined {
    let text = '';
    for (const piece of this.#pieces) {
      const part = typeof piece === 'string' ? piece : piece(item, leftOut);
      if (part === undefined) return undefined;
      text += part;
      if (text.length > bounds.textLength) break;
    }
    const made = this.#pieces.length > 1 || text.length > bounds.textLength ? this.#run.made(text) : text;
    if (made === undefined) leftOut(this.#run.reason);
    return made;
  }
}

/** Literal texts and placeholders. A name that no variable has stays as it is written; the names of variables are never shown. */
function partsOf(text: string, scope: Scope, problems: string[]): Part[] {
  const parts: Part[] = [];
  let literal = '';
  for (let i = 0; i < text.length; ) {
    const open = text.indexOf('{', i);
    const close = open < 0 ? -1 : text.indexOf('}', open);
    if (open >= 0 && text[open + 1] === '{') {
      literal += text.slice(i, open + 1);
      i = open + 2;
      continue;
    }
    if (open < 0 || close < 0) {
      literal += text.slice(i);
      break;
    }
    const name = text.slice(open + 1, close);
    const variable = scope.find(name);
    literal += text.slice(i, typeof variable === 'string' && !scope.exists(name) ? close + 1 : open);
    i = close + 1;
    if (typeof variable === 'string') {
      problems.push(variable);
      continue;
    }
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push({ variable, name });
  }
  if (literal !== '') parts.push(literal);
  return parts;
}

/** The text of a variable's value. */
function filled({ variable, name }: Exclude<Part, string>, run: EvaluationRun, item: number, leftOut: OnLeftOut): string {
  const { value, list } = run.columns[variable] as (typeof run.columns)[number];
  const found = list === undefined ? value : list[item];
  const text = textIn(found);
  if (text !== undefined) return text;
  leftOut(found === undefined ? `${quoted(name)} has no value` : `${quoted(name)} is ${kindOf(found)}, not a text`);
  return '';
}

const plain = (parts: readonly Part[], run: EvaluationRun): Piece[] =>
  parts.map((part) => (typeof part === 'string' ? part : (item, leftOut) => filled(part, run, item, leftOut)));

/** Relative addresses are allowed, whatever the page is. */
const anyPage = 'https://page.invalid/';

/** The whole address, if it is allowed. Values are percent-encoded, unless one is the whole address. */
function address(parts: readonly Part[], use: AddressUse, run: EvaluationRun, escaped = (text: string): string => text): Piece[] {
  if (parts.length === 0) return [];
  const isWhole = parts.length === 1;
  return [
    (item, leftOut) => {
      let raw = '';
      let safe = '';
      for (const part of parts) {
        if (typeof part === 'string') {
          raw += part;
          safe += part;
          continue;
        }
        const value = filled(part, run, item, leftOut);
        const encoded = isWhole ? value : percentEncoded(value);
        raw += encoded;
        safe += escaped(encoded);
      }
      if (raw.trim() === '' || addressOf(raw, use, anyPage) !== undefined) return safe;
      leftOut(`the address ${quoted(raw)} is left out: it must be ${addressRules[use]}`);
      return undefined;
    },
  ];
}

const percentEncoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

function htmlPieces(parts: readonly Part[], run: EvaluationRun, problems: string[]): Piece[] {
  const { pieces, refused } = new HtmlPieces(parts);
  for (const name of refused) {
    problems.push(
      `${quoted(name)} is left out: values are filled in between tags, and in the attributes href, src, alt and title`,
    );
  }
  return pieces.flatMap((piece): Piece[] => {
    if (typeof piece === 'string') return [piece];
    if (piece.kind !== 'address') {
      const escaped = piece.kind === 'text' ? escapedText : escapedAttribute;
      return [(item, leftOut) => escaped(filled(piece, run, item, leftOut))];
    }
    // Without its address the rest of the text is still right.
    const [only] = address(piece.parts, piece.use, run, escapedAttribute) as [Exclude<Piece, string>];
    return [(item, leftOut) => only(item, leftOut) ?? ''];
  });
}

/** Also what would begin the value of an attribute. */
const escapedText = (text: string): string => (/[&<>"'`=]/.test(text) ? text.replace(/[&<>"'`=]/g, reference) : text);

/** Everything that could end a value, with quotation marks or without. */
const escapedAttribute = (text: string): string => text.replace(/[\0-/:-@[-`{-\x7f]/g, reference);

const reference = (character: string): string => `&#${character.charCodeAt(0)};`;
