/** The parts of an element of KML or GPX: its texts by column, and its shapes. */
import { contentOf } from '../../../../lib/html/content-of.ts';
import type { Item, Shape } from '../file-data.ts';
import type { XmlElement } from './xml-tree.ts';

/** Elements in each other whose texts become columns. */
const depthMax = 5;
/** Columns of one name in an element. Of more texts, the last is kept. */
const sameMax = 20;

/** A placemark, waypoint, route or track. */
export interface XmlFeature {
  readonly texts: XmlTexts;
  readonly shapes: readonly Shape[];
  /** Parts of its geometry that cannot be used. */
  readonly bad: number;
  readonly style: Item['style'] | undefined;
  /** Why it has no shape, if the reader knows. */
  readonly why?: string | undefined;
}

export class XmlTexts {
  readonly values = new Map<string, string>();
  /** HTML of columns. */
  readonly contents = new Map<string, string>();
  /** The end of a text is longer than a popup may be. */
  isCut = false;

  /** A text of an element that the format has itself. */
  add(column: string, text: string | undefined): void {
    if (text) this.values.set(column, text);
  }

  /** A text that may be HTML. */
  addContent(column: string, given: string | undefined): void {
    if (!given?.trim()) return;
    const { text, html, isCut } = contentOf(given);
    this.isCut ||= isCut;
    if (text === '' && html === '') return;
    this.values.set(column, text);
    if (html !== text) this.contents.set(column, html);
  }

  /** A text whose column the file names: it hides no other one. */
  addNamed(name: string, text: string): void {
    const known = this.values.get(name);
    if (known === text) return;
    let column = name;
    for (let i = 1; i <= sameMax && this.values.has(column); i++) column = `${name} (data${i === 1 ? '' : ` ${i}`})`;
    if (name === 'description' && known === undefined) this.addContent(name, text);
    else this.values.set(column, text);
  }

  /** The texts of elements without others in them, by their names. Several of one name are one text. */
  addElements(parent: XmlElement, isHidden: (name: string) => boolean = () => false, depth = 0): void {
    const found = new Map<string, string[]>();
    for (const child of parent.children) {
      if (isHidden(child.name)) continue;
      const text = child.content();
      if (child.children.length > 0 && depth < depthMax) this.addElements(child, isHidden, depth + 1);
      else if (text !== '') found.set(child.name, [...(found.get(child.name) ?? []), text]);
    }
    for (const [name, texts] of found) this.addNamed(name, texts.join(', '));
  }
}
