/** Dimensions of an SVG. It is parsed as XML; document types that declare entities are refused, because these may grow without bound. */
import { DOMParser, type Element } from '@xmldom/xmldom';
import { findDeclaration, withoutNamedType } from '../html/document-type.ts';
import type { Dimensions, PictureFault } from './picture-types.ts';

const namespace = 'http://www.w3.org/2000/svg';

/** CSS pixels of a unit. */
const units: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
};

/** `no-dimensions` for an SVG that has none; other faults for bytes that are no SVG. Never throws. */
export function recognizeSvg(bytes: Uint8Array): Dimensions | PictureFault {
  const whole = decoded(bytes);
  if (whole === undefined) return 'broken';
  if (isHtml.test(whole)) return 'other-type';
  const text = withoutNamedType(whole);
  if (findDeclaration(text) !== null) return 'document-type';
  const root = rootOf(text);
  if (root === undefined) return /<(?:[\w.-]+:)?svg[\s/>]/.test(text) ? 'broken' : 'other-type';
  if (root.localName !== 'svg' || root.namespaceURI !== namespace) return 'other-type';
  return dimensionsOf(root);
}

const isHtml = /<!DOCTYPE\s+html/i;

/** The text in the encoding that its first bytes or its XML declaration name; `undefined` if it is invalid in it. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function encodingOf(bytes: Uint8Array): string {
  const [first = 0, second = 0] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  const start = Buffer.from(bytes.subarray(0, 512)).toString('latin1');
  return /^(?:\xef\xbb\xbf)?<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/.exec(start)?.[1] ?? 'utf-8';
}

/** The outermost element; `undefined` if the text is not well-formed. */
function rootOf(text: string): Element | undefined {
  // Its warnings are about text that is not well-formed, too.
  const onError = (_: string, message: string): void => {
    throw new Error(message);
  };
  try {
    return new DOMParser({ onError, locator: false }).parseFromString(text, 'text/xml').documentElement ?? undefined;
  } catch {
    return undefined;
  }
}

/** The attributes width and height, or what the other one and viewBox say. */
function dimensionsOf(root: Element): Dimensions | 'no-dimensions' {
  const box = viewBoxOf(root);
  const [width, height] = [lengthOf(root, 'width'), lengthOf(root, 'height')];
  if (width !== undefined && height !== undefined) return rounded(width, height);
  if (box === undefined) return 'no-dimensions';
  if (width !== undefined) return rounded(width, (width * box.height) / box.width);
  if (height !== undefined) return rounded((height * box.width) / box.height, height);
  return rounded(box.width, box.height);
}

/** At least one pixel, except for a length of 0, which draws nothing. */
const rounded = (width: number, height: number): Dimensions => {
  const [wide, high] = [width, height].map((length) => (length > 0 ? Math.max(1, Math.round(length)) : 0));
  return { width: wide as number, height: high as number };
};

/** Longest text of a length, in UTF-16 code units. */
const lengthCharactersMax = 60;

/** An absolute length in pixels; `undefined` for none, and for a relative one. */
function lengthOf(root: Element, name: string): number | undefined {
  const attribute = (root.getAttribute(name) ?? '').trim();
  // The expression would try each part of a long row of digits.
  if (attribute.length > lengthCharactersMax) return undefined;
  const [, digits = '', unit = ''] = /^(\+?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(px|pt|pc|in|cm|mm|q)?$/i.exec(attribute) ?? [];
  const length = Number(digits) * (units[unit.toLowerCase()] ?? Number.NaN);
  return digits !== '' && Number.isFinite(length) ? length : undefined;
}

function viewBoxOf(root: Element): Dimensions | undefined {
  const numbers = (root.getAttribute('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , width = 0, height = 0] = numbers;
  return numbers.length === 4 && numbers.every(Number.isFinite) && width > 0 && height > 0 ? { width, height } : undefined;
}
