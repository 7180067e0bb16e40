/** Reads SVG: each shape becomes an item, texts their names or items, and the rest of the picture a background. */
import type { Element } from '@xmldom/xmldom';
import { addressOf } from '../../../../lib/draw/link-rules.ts';
import { Notes } from '../../notes.ts';
import type { Slices } from '../../slices.ts';
import type { FileData } from '../file-data.ts';
import { childElements, parseXml } from '../xml/parse-xml.ts';
import { backgroundOf, cleanSvg, linkOf } from './svg-background.ts';
import { type Click, SvgReader } from './svg-drawing.ts';
import { itemsOf } from './svg-items.ts';
import { type Picture, pictureAround, pictureOf } from './svg-size.ts';

/** Units between a curve and its lines where only the size of the picture is asked for. */
const roughly = 0.05;

/** @param tolerance pixels of a picture of a size between a curve and the lines that it becomes, at most */
export async function readSvg(
  text: string,
  tolerance: (size: FileData['size']) => number,
  notes: Notes,
  slices: Slices,
): Promise<FileData> {
  const root = parseXml(text).documentElement as Element;
  const drawing = { root, ...readBefore(root), removed: cleanSvg(root, notes) };
  let done = 0;
  const readIn = async (picture: Picture, accuracy: number, into: Notes): Promise<SvgReader> => {
    const reader = new SvgReader(drawing, accuracy, into);
    for (const _ of reader.read(picture.viewport)) await slices.next(Math.min(0.9, done++ / 5000));
    return reader;
  };
  const picture =
    pictureOf(root) ?? pictureAround(root, (await readIn(pictureAround(root, undefined), roughly, new Notes())).bounds);
  const { size } = picture;
  const reader = await readIn(picture, tolerance(size), notes);
  const naming = itemsOf(reader, size, notes);
  let step = naming.next();
  for (; step.done !== true; step = naming.next()) await slices.next(0.95);
  const { items, columns, taken } = step.value;
  for (const element of taken) drawing.removed.add(element);
  const background = withinDepth(() => backgroundOf(root, drawing.removed, picture), notes);
  const read = Math.max(reader.count, items.length);
  return { unit: 'pixels', items, columns, read, size, ...(background === undefined ? {} : { background }) };
}

/** Style sheets and links of a picture, which are no part of its background. */
function readBefore(root: Element): { readonly sheets: readonly string[]; readonly clicks: ReadonlyMap<Element, Click> } {
  const sheets: string[] = [];
  const clicks = new Map<Element, Click>();
  const waiting: Element[] = [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (element.localName === 'style') sheets.push(element.textContent ?? '');
    const click = element.localName === 'a' ? clickOf(element) : undefined;
    if (click !== undefined) clicks.set(element, click);
    // The first one last: it is taken next.
    for (const child of [...childElements(element)].reverse()) waiting.push(child);
  }
  return { sheets, clicks };
}

function clickOf(element: Element): Click | undefined {
  const link = linkOf(element)?.trim().slice(0, 4000) ?? '';
  if (addressOf(link, 'link', 'https://localhost/') === undefined) return undefined;
  const target = element.getAttribute('target') ?? '';
  const opens = target === '_blank' || target === 'blank' || element.getAttribute('xlink:show') === 'new';
  return { click_action: 'follow-link', click_action_url: link, open_link_in_new_tab: opens };
}

/** The result of a function, unless elements of the document are nested too deeply to be written. */
function withinDepth<T>(make: () => T, notes: Notes): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    notes.leaveOut('depth', '', 'The rest of the picture is nested too deeply for a background.');
    return undefined;
  }
}
