/** Makes elements without markup: under Trusted Types, no text becomes markup. */

type Properties<Name extends keyof HTMLElementTagNameMap> = Partial<Omit<HTMLElementTagNameMap[Name], 'style' | 'attributes'>> & {
  /** Attributes for which there is no property. */
  readonly attributes?: Readonly<Record<string, string>>;
};

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { attributes = {}, ...properties }: Properties<Name> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  Object.assign(element, properties);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

/** Says a text, without another layout if it is there already. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

const svgNamespace = 'http://www.w3.org/2000/svg';

/** A picture of lines in a box of 24 × 24. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(svgNamespace, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(svgNamespace, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

/** Browsers read a file some time after the click that saves it, in milliseconds. */
const keptMs = 60_000;

/** Lets the browser save a file. @param name with its extension */
export function saveFile(content: Blob, name: string): void {
  const href = URL.createObjectURL(content);
  make('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), keptMs);
}
