/** Plants a change in a function of `src`, as its source shows it, and compiles the module with it. */
import { transformSync } from 'esbuild';

export interface Change {
  /** Module below `src`, without an ending. */
  readonly module: string;
  /** The function: `closeFile`, or `Flusher.append` for a member of a class, or the name of a constant. */
  readonly inside: string;
  /** What stands in it exactly once, white space aside. */
  readonly text: string;
  readonly becomes: string;
}

/** A source with a change. Throws if there is no such function, or the text does not stand in it exactly once. */
export function changed(source: string, { module, inside, text, becomes }: Change): string {
  const parts = partsOf(source, inside);
  if (parts.length === 0) throw new Error(`there is no ${inside} in src/${module}`);
  const pattern = text.trim().split(/\s+/).map(escaped).join('\\s+');
  const found = parts.flatMap(([start, end]) =>
    [...source.slice(start, end).matchAll(new RegExp(pattern, 'g'))].map(
      (match) => [start + match.index, match[0].length] as const,
    ),
  );
  const [first] = found;
  if (first === undefined || found.length !== 1) {
    const how = found.length === 0 ? 'is not in' : `stands ${found.length} times in`;
    throw new Error(`the text ${how} ${inside} of src/${module}: ${text}`);
  }
  const [at, length] = first;
  return source.slice(0, at) + becomes + source.slice(at + length);
}

/** The module as it is imported: without types, and with the imports of compiled modules. */
export function compiled(source: string, isTsx: boolean): string {
  const { code } = transformSync(source, {
    loader: isTsx ? 'tsx' : 'ts',
    target: 'es2023',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, jsx: 'react-jsx', jsxImportSource: 'preact' } },
  });
  return code.replace(/\b(from|import)(\s*\(?\s*)"(\.{1,2}\/[^"]+)\.tsx?"/g, '$1$2"$3.js"');
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

type Part = readonly [start: number, end: number];

/** Where a function stands in a source as the formatter leaves it: several parts for a getter with its setter, and for overloads. */
function partsOf(source: string, name: string): Part[] {
  const [first = '', member] = name.split('.');
  const declared = blocks(
    source,
    [0, source.length],
    0,
    new RegExp(`^(?:export )?(?:default )?(?:abstract |async )*(?:class|function\\*?|const|let) ${escaped(first)}\\b`),
  );
  if (member === undefined) return declared;
  const head = new RegExp(`^  (?:static |async |override |readonly |get |set |\\*)*${escaped(member)}(?![\\w$])`);
  return declared.flatMap((part) => blocks(source, part, 2, head));
}

/** Blocks of lines that begin with a line like `head`, and end before the next line that is not further in. */
function blocks(source: string, [from, to]: Part, indent: number, head: RegExp): Part[] {
  const found: Part[] = [];
  let begun: number | undefined;
  let at = from;
  for (const line of source.slice(from, to).split('\n')) {
    const isOuter = line !== '' && line.search(/[^ ]/) <= indent && !/^[})\]]/.test(line.trimStart());
    if (isOuter) {
      if (begun !== undefined) found.push([begun, at]);
      begun = head.test(line) ? at : undefined;
    }
    at += line.length + 1;
  }
  if (begun !== undefined) found.push([begun, to]);
  return found;
}
