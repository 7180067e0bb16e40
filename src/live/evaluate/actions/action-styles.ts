/** The styles of an action: new values for members of objects, converted to the type of the member. */
import { hexWithAlpha, parseColour } from '../../../lib/draw/css-colour.ts';
import { quoted } from '../evaluation-problems.ts';
import { isObject, member, textMember } from '../open-json.ts';
import { kindOf, type Value } from '../values/live-value.ts';
import { numberIn } from '../values/number-form.ts';
import type { ActionReader } from './action-reader.ts';
import { objectDefaults, wordsOf } from './resource-defaults.ts';

/** Sets the members that have a new value. */
export type SetStyles = (object: Record<string, unknown>, item: number) => void;

/** Converts a value to one of the member, or says what it should be. */
type Convert = (value: Value) => { readonly value: unknown } | string;

const styled = [
  'color',
  'opacity',
  'stroke_color',
  'stroke_width',
  'stroke_opacity',
  'hover_color',
  'hover_opacity',
  'hover_stroke_color',
  'hover_stroke_width',
  'hover_stroke_opacity',
  'blend_mode',
  'radius',
  'pin',
];

/** Colours by the text that they were written as: items share most of them. */
const coloursMax = 10_000;
const plainColour = /^#[0-9a-f]{6}$/;

function colourConverter(): Convert {
  const known = new Map<string, { readonly value: string } | string>();
  return (value) => {
    if (typeof value !== 'string') return 'a colour';
    if (plainColour.test(value)) return { value };
    let found = known.get(value);
    if (found === undefined) {
      const colour = parseColour(value);
      found = colour === undefined ? 'a colour' : { value: hexWithAlpha(colour) };
      if (known.size < coloursMax) known.set(value, found);
    }
    return found;
  };
}

const toNumber: Convert = (value) => {
  const number = numberIn(value);
  return number === undefined ? 'a number' : { value: number };
};

const toFlag: Convert = (value) => {
  if (typeof value === 'boolean') return { value };
  return value === 'true' || value === 'false' ? { value: value === 'true' } : 'true or false';
};

function converterOf(name: string): Convert {
  const words = wordsOf(name);
  if (words !== undefined) return (value) => (words.includes(value) ? { value } : `one of ${words.join(', ')}`);
  const fallback = objectDefaults[name];
  return typeof fallback === 'number' ? toNumber : typeof fallback === 'boolean' ? toFlag : colourConverter();
}

export function stylesOf(reader: ActionReader): SetStyles {
  const setters = styled.flatMap((name) => styleOf(name, reader) ?? []);
  return (object, item) => {
    for (const set of setters) set(object, item);
  };
}

function styleOf(name: string, reader: ActionReader): SetStyles | undefined {
  const below = `/style_${name}`;
  const style = member(reader.action.json, `style_${name}`);
  if (!isObject(style)) return undefined;
  const type = textMember(style, 'type', 'current-value');
  if (type === 'current-value') return undefined;
  const convert = converterOf(name);
  const misfit = (value: Value, wanted: string): string => `${name} must be ${wanted}, not ${kindOf(value)}`;
  if (type === 'custom') {
    const value = member(style, 'value');
    const converted = convert(value);
    if (typeof converted === 'string') return reader.problem(`${below}/value`, misfit(value, converted));
    return (object) => {
      object[name] = converted.value;
    };
  }
  if (type !== 'variable') {
    const detail = `there is no type ${quoted(type)} of styles; there are current-value, custom, variable`;
    return reader.problem(`${below}/type`, detail);
  }
  const at = `${below}/variable_id`;
  const read = reader.variable(at, textMember(style, 'variable_id'));
  if (read === undefined) return undefined;
  return (object, item) => {
    const value = read(item);
    const converted = value === undefined ? undefined : convert(value);
    if (typeof converted === 'object') {
      object[name] = converted.value;
      return;
    }
    if (converted !== undefined) reader.run.fail(misfit(value, converted));
    reader.failed(at, item);
  };
}
