/** Styles of KML: shared ones by their identifiers, and those within a placemark. */
import { hexOf, parseColour } from '../../../../lib/draw/css-colour.ts';
import type { Item, Shape } from '../file-data.ts';
import type { XmlElement } from './xml-tree.ts';

/** Styles that refer to each other. */
const depthMax = 10;

interface Colour {
  readonly hex: string;
  /** From 0 to 1. */
  readonly opacity: number;
}

interface Style {
  readonly line?: Colour;
  readonly width?: number;
  readonly fill?: Colour;
  readonly isFilled?: boolean;
  readonly isOutlined?: boolean;
  readonly icon?: Colour;
}

export class KmlStyles {
  readonly #elements = new Map<string, XmlElement>();
  readonly #styles = new Map<string, Style>();

  /** @param element `Style` or `StyleMap`; without an identifier, nothing refers to it */
  add(element: XmlElement): void {
    const id = element.attribute('id');
    if (id) this.#elements.set(id, element);
  }

  /** The style of a placemark, as far as it concerns its shapes; `undefined` if it has none. */
  of(placemark: XmlElement, shapes: readonly Shape[]): Item['style'] | undefined {
    const style = this.#within(placemark, 0);
    const has = (wanted: Shape['kind']): boolean => shapes.some(({ kind }) => kind === wanted);
    // All shapes of a placemark have one style: the fill is that of areas, else that of points; lines have none.
    const members = {
      ...(has('point') && !has('ring') ? iconMembers(style) : {}),
      ...(has('line') || has('ring') ? lineMembers(style) : {}),
      ...(has('ring') ? { ...fillMembers(style), ...(style.isOutlined === false ? { stroke_width: 0 } : {}) } : {}),
    };
    return Object.keys(members).length === 0 ? undefined : members;
  }

  /** The shared style that an element refers to, and over it the style within the element. */
  #within(parent: XmlElement, depth: number): Style {
    let style: Style = {};
    for (const url of parent.all('styleUrl')) style = { ...style, ...this.#shared(url.content(), depth) };
    for (const child of parent.children)
      if (child.name === 'Style' || child.name === 'StyleMap') style = { ...style, ...this.#read(child, depth) };
    return style;
  }

  #shared(url: string, depth: number): Style {
    const id = url.trim().slice(url.trim().lastIndexOf('#') + 1);
    const known = this.#styles.get(id);
    const element = this.#elements.get(id);
    if (known !== undefined || element === undefined || depth > depthMax) return known ?? {};
    const style = this.#read(element, depth);
    this.#styles.set(id, style);
    return style;
  }

  #read(element: XmlElement, depth: number): Style {
    if (element.name === 'Style') return styleIn(element);
    const pairs = element.all('Pair');
    const normal = pairs.find((pair) => pair.textOf('key') === 'normal') ?? pairs[0];
    return normal === undefined ? {} : this.#within(normal, depth + 1);
  }
}

function styleIn(element: XmlElement): Style {
  let style: Style = {};
  const with_ = (members: { readonly [Name in keyof Style]: Style[Name] | undefined }): void => {
    const given = Object.entries(members).filter(([, value]) => value !== undefined);
    style = { ...style, ...Object.fromEntries(given) };
  };
  for (const child of element.children) {
    const colour = kmlColour(child.textOf('color'));
    const name = child.name;
    if (name === 'LineStyle') with_({ line: colour, width: widthOf(child.textOf('width')) });
    else if (name === 'PolyStyle')
      with_({ fill: colour, isFilled: flagOf(child.textOf('fill')), isOutlined: flagOf(child.textOf('outline')) });
    else if (name === 'IconStyle') with_({ icon: colour ?? pictureColour(child) });
  }
  return style;
}

function lineMembers({ line, width }: Style): Record<string, string | number> {
  return {
    ...(line === undefined ? {} : { stroke_color: line.hex, stroke_opacity: line.opacity }),
    ...(width === undefined ? {} : { stroke_width: width }),
  };
}

function fillMembers({ fill, isFilled }: Style): Record<string, string | number> {
  return {
    ...(fill === undefined ? {} : { color: fill.hex, opacity: fill.opacity }),
    ...(isFilled === false ? { opacity: 0 } : {}),
  };
}

const iconMembers = ({ icon }: Style): Record<string, string | number> =>
  icon === undefined ? {} : { color: icon.hex, ...(icon.opacity < 1 ? { opacity: icon.opacity } : {}) };

/** `aabbggrr`, also with `#`; six digits are those of CSS, as are names. */
function kmlColour(text = ''): Colour | undefined {
  const [, alpha, blue, green, red] = /^#?([\da-f]{2})([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text) ?? [];
  if (alpha === undefined) return cssColour(/^[\da-f]{6}$/i.test(text) ? `#${text}` : text);
  return { hex: `#${red}${green}${blue}`.toLowerCase(), opacity: shareOf(Number.parseInt(alpha, 16)) };
}

/** A share of 255, with two decimals. */
const shareOf = (value: number): number => Math.round((value / 255) * 100) / 100;

/** A colour of CSS; `undefined` for any other text. */
export function cssColour(text: string): Colour | undefined {
  const parsed = parseColour(text);
  return parsed && { hex: hexOf(parsed.rgb), opacity: shareOf(parsed.alpha * 255) };
}

/** A number that may have a decimal comma; `undefined` for another text, and below 0. */
export function widthOf(text = ''): number | undefined {
  const width = text === '' ? Number.NaN : Number(text.replace(',', '.'));
  return width >= 0 && Number.isFinite(width) ? width : undefined;
}

const flagOf = (text: string | undefined): boolean | undefined => (text === undefined ? undefined : !/^(?:0|false)$/i.test(text));

/** Colours in the names of the pictures of Google Earth and of phone maps, such as `ylw-pushpin.png` and `placemark-red.png`. */
const pictureColours: Readonly<Record<string, string>> = {
  ...{ red: '#ef4444', blue: '#3b82f6', blu: '#3b82f6', ltblu: '#7dd3fc', lightblue: '#7dd3fc', green: '#22c55e' },
  ...{ grn: '#22c55e', yellow: '#eab308', ylw: '#eab308', orange: '#f97316', purple: '#a855f7', pink: '#ec4899' },
  ...{ brown: '#92400e', gray: '#6b7280', grey: '#6b7280' },
};

function pictureColour(iconStyle: XmlElement): Colour | undefined {
  const [icon] = iconStyle.all('Icon');
  const file = /([^/]*)$/.exec(icon?.textOf('href') ?? '')?.[1] ?? '';
  const name = file.split(/[-_.]/).find((part) => Object.hasOwn(pictureColours, part));
  return name === undefined ? undefined : { hex: pictureColours[name] as string, opacity: 1 };
}
