/** Style sheets of SVG: the rules in them, their declarations, and a sheet without the rules that load something. */

/** Sheets are read up to this length together, in characters. */
const sheetsMax = 512 * 1024;
/** Blocks in blocks. */
const depthMax = 20;

/** Comments and texts, which hide braces and semicolons, and these. */
const tokens =
  /\/\*[\s\S]*?(?:\*\/|$)|"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"?|'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'?|url\(\s*[^\s"')][^)]*\)?|\\[\s\S]|[{}();]/gi;

/** `prelude { block }`, or `prelude;` */
interface SheetPart {
  readonly prelude: string;
  readonly block: string | undefined;
}

/** The rules and at-rules of a sheet without comments, as browsers separate them. */
function* partsOf(sheet: string): Generator<SheetPart> {
  let [start, brace, depth] = [0, 0, 0];
  // One look at the first character: a prelude can have any number of semicolons.
  let isAt: boolean | undefined;
  const part = (end: number, block?: string): SheetPart => ({ prelude: sheet.slice(start, end).trim(), block });
  for (const { 0: token, index } of sheet.matchAll(tokens)) {
    if (token === '{' && depth++ === 0) brace = index;
    if (token === ';' && depth === 0) {
      isAt ??= /^\s*@/.test(sheet.slice(start, index));
      if (!isAt) continue;
      yield part(index);
    } else if (token === '}') {
      if (depth > 1) depth--;
      else if (depth === 1) {
        depth = 0;
        yield part(brace, sheet.slice(brace + 1, index));
      }
      if (depth > 0) continue;
    } else continue;
    start = index + 1;
    isAt = undefined;
  }
  if (depth > 0) yield part(brace, sheet.slice(brace + 1));
  else if (/^\s*@/.test(sheet.slice(start))) yield part(sheet.length);
}

const withoutComments = (sheet: string): string => sheet.replace(tokens, (token) => (token.startsWith('/*') ? ' ' : token));

/** Rules with declarations, in their order, also those in `@media` for screens. */
export interface StyleRule {
  readonly selectors: string;
  readonly declarations: string;
}

export function* rulesOf(sheets: readonly string[]): Generator<StyleRule> {
  let left = sheetsMax;
  for (const sheet of sheets) {
    yield* rulesIn(withoutComments(sheet.slice(0, left)), 0);
    left = Math.max(0, left - sheet.length);
  }
}

function* rulesIn(sheet: string, depth: number): Generator<StyleRule> {
  for (const { prelude, block } of partsOf(sheet)) {
    if (block === undefined) continue;
    if (!prelude.startsWith('@')) yield { selectors: prelude, declarations: block };
    else if (depth < depthMax && applies(prelude)) yield* rulesIn(block, depth + 1);
  }
}

/** True if the rules in a block apply on a screen with a light ground. */
function applies(prelude: string): boolean {
  const [, name = '', condition = ''] = /^@([\w-]+)\s*([\s\S]*)$/.exec(prelude.slice(0, 1000)) ?? [];
  if (name === 'layer') return true;
  if (name === 'supports') return !/^not\b/i.test(condition);
  return name === 'media' && condition.split(',').some(isScreen);
}

/** True if a media query means a screen: of its conditions, only those are known that every screen fulfils. */
const isScreen = (query: string): boolean =>
  query
    .split(/\band\b/i)
    .every((part) =>
      /^\s*(?:(?:only\s+)?(?:all|screen)|not\s+print|\(\s*(?:prefers-color-scheme\s*:\s*light|min-(?:width|height)\b[^)]*|color)\s*\)|)\s*$/i.test(
        part,
      ),
    );

/**
 * A sheet without the parts that are refused, and how many those are.
 *
 * @param isRefused for a rule as text; of a block of rules, for each of them
 */
export function sheetWithout(
  sheet: string,
  isRefused: (text: string) => boolean,
  depth = 0,
): { readonly kept: string; readonly refused: number } {
  const kept: string[] = [];
  let refused = 0;
  for (const { prelude, block } of partsOf(depth === 0 ? withoutComments(sheet) : sheet)) {
    const isGroup = block !== undefined && /^@(?:media|supports|layer)\b/i.test(prelude) && depth < depthMax;
    const inner = isGroup ? sheetWithout(block, isRefused, depth + 1) : undefined;
    const text = block === undefined ? `${prelude};` : `${prelude}{${inner?.kept ?? block}}`;
    refused += inner?.refused ?? 0;
    if (isRefused(text)) refused++;
    else kept.push(text);
  }
  return { kept: kept.join('\n'), refused };
}

/** `name: value`, perhaps `!important`. */
export interface Declaration {
  readonly name: string;
  readonly value: string;
  readonly isImportant: boolean;
}

/** The declarations of a block or of an attribute `style`, without rules in it. */
export function* declarationsOf(block: string): Generator<Declaration> {
  for (const text of declarationTexts(block)) {
    const colon = text.indexOf(':');
    const name = text.slice(0, colon).trim();
    const value = text.slice(colon + 1).trim();
    if (colon <= 0 || value === '') continue;
    const plain = value.replace(/\s*!\s*important$/i, '');
    yield { name: name.startsWith('--') ? name : name.toLowerCase(), value: plain, isImportant: plain !== value };
  }
}

/** The parts of a block between its semicolons. */
export function* declarationTexts(block: string): Generator<string> {
  if (!/["'(\\{}]|\/\*/.test(block)) {
    yield* block.split(';');
    return;
  }
  const text = withoutComments(block);
  let [start, depth] = [0, 0];
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '(' || token === '{') depth++;
    if (token === ')' || token === '}') depth = Math.max(0, depth - 1);
    if (depth > 0 || (token !== ';' && token !== '}')) continue;
    if (token === ';') yield text.slice(start, index);
    start = index + 1;
  }
  yield text.slice(start);
}
