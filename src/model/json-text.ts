/** Named values that are kept as JSON text: a list that does not ask for them does not parse them. */
import { RecordFormatError } from './stored.ts';
import type { Body } from './value.ts';

/** A JSON object of texts, numbers and booleans, as text. Equal objects whose members are in the same order have equal texts. */
export class JsonText {
  readonly text: string;
  /** A text from a file is parsed when it is needed first. */
  #isChecked: boolean;

  private constructor(text: string, isChecked: boolean) {
    this.text = text;
    this.#isChecked = isChecked;
  }

  /** @param value checked, or a text already */
  static of(value: Body | JsonText): JsonText {
    return value instanceof JsonText ? value : new JsonText(JSON.stringify(value), true);
  }

  /** From stored bytes: {@link checked} and {@link value} throw a `RecordFormatError` if it is no such object. */
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

  /** Each call parses the text. Its members may have any name: read them with `Object.entries` or `Object.hasOwn`. */
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
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SyntaxError('they are not an object');
    for (const name in value)
      if (typeof (value as Body)[name] === 'object') throw new SyntaxError('one is neither a text, a number nor a boolean');
    return value as Body;
  } catch (error) {
    throw new RecordFormatError(`named values cannot be parsed: ${(error as Error).message}`);
  }
}
