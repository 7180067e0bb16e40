/** Parses XML to a document of the DOM, after common faults are repaired. */
import { DOMParser, type Document, type Element, type Node } from '@xmldom/xmldom';
import { ConvertError } from '../../conversion.ts';
import { malformed } from './repair-xml.ts';
import { type RepairOptions, soundXml } from './sound-xml.ts';

/** @throws {ConvertError} as {@link soundXml}, with the line of the error */
export function parseXml(whole: string, options: RepairOptions = {}): Document {
  const text = soundXml(whole, options);
  let problem: ConvertError | undefined;
  const onError = (
    level: 'warning' | 'error' | 'fatalError',
    message: string,
    { locator }: { readonly locator?: Locator },
  ): void => {
    if (level === 'warning') return;
    problem ??= malformed(locator?.lineNumber, message);
    throw new Error(message);
  };
  try {
    const document = new DOMParser({ onError }).parseFromString(text, 'text/xml');
    if (document.documentElement !== null) return document;
  } catch (error) {
    throw problem ?? malformed(undefined, error instanceof Error ? error.message : '');
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
