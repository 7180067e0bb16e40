/** Parses XML that declares no entities: they may grow without bound or lead to other files. */
import { DOMParser, type Document, type Element, type Node } from '@xmldom/xmldom';
import { findDeclaration, withoutNamedType } from '../../../../lib/html/document-type.ts';
import { ConvertError } from '../../conversion.ts';

/** Characters of a document. Its tree needs about thirty times as much memory. */
const lengthMax = 16 * 1024 * 1024;

/** Elements, comments and instructions of a document: each needs about a kilobyte. A track of 16 MB has about 500,000. */
const nodesMax = 800_000;

/** Prefixes of namespaces in a document: the parser copies those of the elements around each element that declares some. */
const prefixesMax = 200;

/** @throws {ConvertError} "refused" for declared entities, "too-large", or "unreadable" with the line of the error */
export function parseXml(whole: string): Document {
  const text = withoutNamedType(whole);
  const type = findDeclaration(text);
  if (type !== null) {
    const line = text.slice(0, type.index).split('\n').length;
    throw new ConvertError(
      'refused',
      `The file declares entities ("${type[0]}", line ${line}), which can make a small file unboundedly large. Delete the declaration, or save the file again with another program (Inkscape: "Plain SVG").`,
    );
  }
  if (text.length > lengthMax) {
    const [mega, most] = [Math.ceil(text.length / 1024 / 1024), lengthMax / 1024 / 1024];
    throw new ConvertError(
      'too-large',
      `The file has ${mega} MB of XML; at most ${most} MB can be read. Embedded pictures are the usual reason: link them instead, or split the file.`,
    );
  }
  refuseMany(text);
  let problem: string | undefined;
  const onError = (
    level: 'warning' | 'error' | 'fatalError',
    message: string,
    { locator }: { readonly locator?: Locator },
  ): void => {
    if (level === 'warning') return;
    problem ??= locator?.lineNumber === undefined ? message : `line ${locator.lineNumber}: ${message}`;
    throw new Error(message);
  };
  try {
    const document = new DOMParser({ onError }).parseFromString(text, 'text/xml');
    if (document.documentElement !== null) return document;
  } catch (error) {
    const reason = problem ?? (error instanceof Error ? error.message : '');
    throw new ConvertError('unreadable', `The file is not well-formed XML; perhaps it was cut off: ${reason.slice(0, 200)}`);
  }
  throw new ConvertError('unreadable', 'The file has no elements.');
}

interface Locator {
  readonly lineNumber?: number;
}

export const isElement = (node: Node | null): node is Element => node?.nodeType === 1;

export function* childElements(parent: Element): Generator<Element> {
  for (let child = parent.firstChild; child !== null; child = child.nextSibling) if (isElement(child)) yield child;
}

/** @throws {ConvertError} for documents whose tree takes much more time or memory than their length suggests */
function refuseMany(text: string): void {
  let nodes = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) if (text[at + 1] !== '/') nodes++;
  if (nodes > nodesMax)
    throw new ConvertError(
      'too-large',
      `The file has ${nodes} elements of XML; at most ${nodesMax} can be read. Split the file.`,
    );
  const prefixes = new Set<string>();
  for (const [, prefix = ''] of text.matchAll(/\sxmlns:([^\s=]{1,100})/g)) {
    prefixes.add(prefix);
    if (prefixes.size > prefixesMax)
      throw new ConvertError(
        'too-large',
        `The file declares more than ${prefixesMax} prefixes of namespaces ("xmlns:${prefix}"). Save it again with another program.`,
      );
  }
}
