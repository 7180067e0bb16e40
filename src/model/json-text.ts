/** Open structures that are kept as JSON text: a list that does not ask for them does not parse them. */
import { jsonDepthMax, nestsDeeper } from '../lib/json/json.ts';
import { RecordFormatError } from './stored.ts';
import type { Body } from './value.ts';

/** A JSON object as text. Equal objects whose members are in the same order have equal texts. */
export class JsonText {
  readonly text: string;
  /** A text from a file is parsed when it is needed first. */
  #isChecked: boolean;

  private constructor(text: string, isChecked: boolean) {
    this.text = text;
    this.#isChecked = isChecked;
  }

  /** @param value a JSON object, or one that is a text already */
  static of(value: Body | JsonText): JsonText {
    return value instanceof JsonText ? value : new JsonText(JSON.stringify(value), true);
  }

  /** From stored bytes: {@link checked} and {@link value} throw a `RecordFormatError` if it is no JSON object. */
  static stored(text: string): JsonText {
    return new JsonText(text, false);
  }

  get isEmpty(): boolean {
    return this.text === '{}';
  }

  /** The text, which is certainly JSON. */
  get checked(): string {
    if (!this.#isChecked) void this.value;
    return this.text;
  }

  /** Parsed anew for each call. Its members may have any name: read them with `Object.entries` or `Object.hasOwn`. */
  get value(): Body {
    const value = parsedObject(this.text);
    this.#isChecked = true;
    return value;
  }

  toJSON(): Body {
    return this.value;
  }
}

function parsedObject(text: string): Body {
  try {
    if (nestsDeeper(text, jsonDepthMax)) throw new SyntaxError(`it is nested deeper than ${jsonDepthMax} levels`);
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body;
    throw new SyntaxError('it is not an object');
  } catch (error) {
    throw new RecordFormatError(`an open structure cannot be parsed: ${(error as Error).message}`);
  }
}
