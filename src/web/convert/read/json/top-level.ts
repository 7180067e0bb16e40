/** The members at the top of a JSON text, found without a parse: they say what a document is, wherever they stand and however long it is. */

/** The format of an exported project, as `model/document.ts` declares it. */
const projectFormat = 'mapwright-project';
/** Members that are kept. */
const membersMax = 1000;
/** Characters of a name or of a text that are kept. */
const textMax = 200;

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, colon, comma] = [34, 92, 123, 125, 91, 93, 58, 44];

/** Takes a text piece by piece. Of a list it finds the members of the first element. */
export class TopLevel {
  /** Texts by name; of another value, an empty text. */
  readonly members = new Map<string, string>();
  /** True if the text is a list. */
  isList = false;
  /** True if another value follows the first one, as in a sequence of documents. */
  isSequence = false;
  #depth = 0;
  /** The depth of the members; 0 before the first brace. */
  #level = 0;
  #isInText = false;
  #isEscaped = false;
  #text = '';
  #name: string | undefined;
  #isValue = false;
  #hasEnded = false;

  write(piece: string): void {
    for (let i = 0; i < piece.length; i++) {
      const code = piece.charCodeAt(i);
      if (this.#isInText) this.#inText(piece.charAt(i), code);
      else if (code === quote) {
        this.#isInText = true;
        this.#text = '';
      } else if (code === openBrace || code === openBracket) this.#open(code);
      else if (code === closeBrace || code === closeBracket) this.#close();
      else if (this.#depth === this.#level && this.#level > 0) {
        if (code === colon) this.#isValue = true;
        else if (code === comma) this.#isValue = false;
      }
    }
  }

  /** Takes a character of a text. */
  #inText(character: string, code: number): void {
    const isKept = this.#depth === this.#level && !this.#hasEnded;
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === backslash) this.#isEscaped = true;
    else if (code === quote) {
      this.#isInText = false;
      if (isKept) this.#member();
      return;
    }
    if (isKept && this.#text.length < textMax) this.#text += character;
  }

  /** A text at the top: a name, or the value of one. */
  #member(): void {
    if (!this.#isValue) {
      this.#name = this.#text;
      if (this.members.size < membersMax && !this.members.has(this.#name)) this.members.set(this.#name, '');
    } else if (this.#name !== undefined && this.members.has(this.#name)) this.members.set(this.#name, this.#text);
  }

  #open(code: number): void {
    if (this.#depth === 0 && this.#hasEnded) this.isSequence = true;
    if (this.#level === 0) {
      if (code === openBrace) this.#level = this.#depth + 1;
      else if (this.#depth === 0) this.isList = true;
    }
    this.#depth++;
  }

  #close(): void {
    this.#depth--;
    if (this.#level > 0 && this.#depth < this.#level) this.#hasEnded = true;
  }

  /** True if the text ends within a value. */
  get isOpen(): boolean {
    return this.#depth > 0 || this.#isInText;
  }

  /** True if this is one exported project, or a list of them. */
  get isProject(): boolean {
    return this.members.get('format') === projectFormat;
  }
}
