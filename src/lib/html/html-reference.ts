/** The characters that HTML has names for. */
import { Tokenizer } from 'parse5';

const knownMost = 10_000;
/** Those that were looked up, which are few in a file. */
const characters = new Map<string, string | undefined>();

/** The characters of a reference of HTML, such as `&eacute;`; `undefined` if HTML does not know it. */
export function characterOf(reference: string): string | undefined {
  if (characters.size > knownMost) characters.clear();
  if (!characters.has(reference)) {
    let text = '';
    const ignore = (): void => undefined;
    const add = ({ chars }: { readonly chars: string }): void => {
      text += chars;
    };
    const tokenizer = new Tokenizer(
      {},
      {
        ...{ onStartTag: ignore, onEndTag: ignore, onComment: ignore, onDoctype: ignore, onEof: ignore },
        ...{ onCharacter: add, onWhitespaceCharacter: add, onNullCharacter: ignore },
      },
    );
    tokenizer.write(reference, true);
    characters.set(reference, text.endsWith(';') ? undefined : text);
  }
  return characters.get(reference);
}
