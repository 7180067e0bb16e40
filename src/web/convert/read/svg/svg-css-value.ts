/** Values of CSS: custom properties, `light-dark()`, and which values a property takes. */
import { type Colour, parseColour } from '../../../../lib/draw/css-colour.ts';
import { lengthOf } from './svg-matrix.ts';
import { isTransform } from './svg-transform.ts';

/** Characters of a value after custom properties are put in, and how many of them. */
const valueMax = 4000;
const insertedMax = 100;

/** Custom properties of an element and of those around it. */
export class Variables {
  readonly #own: ReadonlyMap<string, string>;
  readonly #outer: Variables | undefined;
  readonly #resolved = new Map<string, string | undefined>();
  readonly #resolving = new Set<string>();

  constructor(own: ReadonlyMap<string, string>, outer: Variables | undefined) {
    this.#own = own;
    this.#outer = outer;
  }

  /** `undefined` if it is not set, or refers to itself. */
  get(name: string): string | undefined {
    const value = this.#own.get(name);
    if (value === undefined) return this.#outer?.get(name);
    if (this.#resolved.has(name)) return this.#resolved.get(name);
    if (this.#resolving.has(name) || this.#resolving.size > 50) return undefined;
    this.#resolving.add(name);
    const resolved = withVariables(value, this);
    this.#resolving.delete(name);
    this.#resolved.set(name, resolved);
    return resolved;
  }
}

/** A value with its custom properties put in, and the colours of a light ground; `undefined` if one of them is missing. */
export function resolvedValue(value: string, variables: Variables | undefined): string | undefined {
  const whole = value.includes('var(') ? withVariables(value, variables) : value;
  return whole === undefined ? undefined : lightOf(whole);
}

/** With the first argument of each `light-dark()`. */
export function lightOf(value: string): string {
  let light = value.slice(0, valueMax);
  for (let i = 0; i < insertedMax; i++) {
    const call = callIn(light, 'light-dark(');
    if (call === undefined) return light;
    light = call.before + call.first.trim() + call.after;
  }
  return light;
}

function withVariables(value: string, variables: Variables | undefined): string | undefined {
  let [done, rest] = ['', value];
  for (let i = 0; i < insertedMax && done.length + rest.length <= valueMax; i++) {
    const call = callIn(rest, 'var(');
    if (call === undefined) return done + rest;
    const { before, first, others, after } = call;
    const inserted = variables?.get(first.trim()) ?? (others === undefined ? undefined : withVariables(others, variables));
    if (inserted === undefined) return undefined;
    done += before + inserted.trim();
    rest = after;
  }
  return undefined;
}

/** The first call of a function in a value: its first argument, and those after it. */
function callIn(value: string, start: string) {
  const at = value.toLowerCase().indexOf(start);
  if (at === -1) return undefined;
  const from = at + start.length;
  let comma: number | undefined;
  let depth = 1;
  for (let i = from; i < value.length; i++) {
    const character = value[i];
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === ',' && depth === 1) comma ??= i;
    if (depth > 0) continue;
    const others = comma === undefined ? undefined : value.slice(comma + 1, i);
    return { before: value.slice(0, at), first: value.slice(from, comma ?? i), others, after: value.slice(i + 1) };
  }
  return undefined;
}

const colours = new Map<string, Colour | undefined>();

/** Remembers results of `parseColour`, which takes long for pictures with one colour in thousands of places. */
export function colourOf(text: string): Colour | undefined {
  if (colours.has(text)) return colours.get(text);
  if (colours.size > 1000) colours.clear();
  const colour = parseColour(text);
  colours.set(text, colour);
  return colour;
}

const words = /^[a-z-]+$/i;
const share = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?%?$/i;
const isColour = (value: string): boolean => value.toLowerCase() === 'currentcolor' || colourOf(value) !== undefined;

/** `url(#id)`, perhaps with a colour for the case that the document has no such element. */
export const reference = /^url\(\s*['"]?#([^'")]+?)['"]?\s*\)\s*(.*)$/i;

const isPaint = (value: string): boolean => {
  if (/^(?:none|context-fill|context-stroke)$/i.test(value) || isColour(value)) return true;
  const fallback = reference.exec(value.slice(0, 300))?.[2];
  return fallback !== undefined && (fallback === '' || /^none$/i.test(fallback) || isColour(fallback));
};

/** Values in the place of which a browser takes the declaration before. */
const takes: Readonly<Record<string, (value: string) => boolean>> = {
  ...{ fill: isPaint, stroke: isPaint, color: isColour, 'stop-color': isColour },
  ...Object.fromEntries(
    ['fill-opacity', 'stroke-opacity', 'opacity'].map((name) => [name, (value: string) => share.test(value)]),
  ),
  ...Object.fromEntries(['visibility', 'display', 'pointer-events'].map((name) => [name, (value: string) => words.test(value)])),
  'fill-rule': (value) => /^(?:nonzero|evenodd)$/i.test(value),
  'stroke-width': (value) => (lengthOf(value, 100) ?? -1) >= 0,
  'font-size': (value) => words.test(value) || lengthOf(value, 100) !== undefined,
  transform: isTransform,
};

/** True if a property takes a value; one with custom properties is known only where it is used. */
export const isValue = (name: string, value: string): boolean =>
  value.includes('var(') || isGeneral(value) || (Object.hasOwn(takes, name) ? takes[name]?.(lightOf(value)) === true : true);

/** Words that every property takes. */
export const isGeneral = (value: string): boolean => /^(?:inherit|initial|unset|revert|revert-layer)$/i.test(value);
