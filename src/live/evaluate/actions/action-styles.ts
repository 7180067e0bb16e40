/** The styles of an action: new values for members of objects, converted to the type of the member. */
import { hexWithAlpha, parseColour } from '../../../lib/draw/css-colour.ts';
import { addressOf, addressRules } from '../../../lib/draw/link-rules.ts';
import { categoryLengthMax, isIconName } from '../../../lib/draw/public-map.ts';
import { bounds } from '../evaluation.ts';
import { quoted } from '../evaluation-problems.ts';
import { isObject, member, type OpenObject, textMember } from '../open-json.ts';
import { kindOf, textIn, type Value } from '../values/live-value.ts';
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
  'label_text',
  'icon',
  'category',
];
const styleNames: ReadonlySet<string> = new Set(styled.map((name) => `style_${name}`));

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

/** A text that stands in place of a name: cut where it is longer than a name can be. */
const toLabel: Convert = (value) => {
  const text = textIn(value);
  if (text === undefined || text.length <= bounds.labelText) return text === undefined ? 'a text' : { value: text };
  return { value: `${text.slice(0, bounds.labelText - 1).replace(/[\ud800-\udbff]$/, '')}…` };
};

const toCategory: Convert = (value) => {
  const text = textIn(value);
  const isFitting = text !== undefined && text.length <= categoryLengthMax;
  return isFitting ? { value: text } : `the name of a category, of at most ${categoryLengthMax} characters`;
};

/** Relative addresses are allowed, whatever the page is. */
const anyPage = 'https://page.invalid/';

const toIcon: Convert = (value) => {
  const text = textIn(value);
  if (text !== undefined && (text === '' || isIconName(text) || addressOf(text, 'picture', anyPage) !== undefined))
    return { value: text };
  return `an icon such as "maki:toilet", or the address of a picture, ${addressRules.picture}`;
};

const ownConverters: Readonly<Record<string, Convert>> = { label_text: toLabel, category: toCategory, icon: toIcon };

function converterOf(name: string): Convert {
  const own = Object.hasOwn(ownConverters, name) ? ownConverters[name] : undefined;
  if (own !== undefined) return own;
  const words = wordsOf(name);
  if (words !== undefined) return (value) => (words.includes(value) ? { value } : `one of ${words.join(', ')}`);
  const fallback = objectDefaults[name];
  return typeof fallback === 'number' ? toNumber : typeof fallback === 'boolean' ? toFlag : colourConverter();
}

export const stylesOf = (reader: ActionReader): SetStyles => stylesIn(reader.action.json, '', reader);

/** The styles for objects that no item of a list names. */
export function otherStylesOf(reader: ActionReader): SetStyles {
  const otherwise = member(reader.action.json, 'otherwise');
  const styles = isObject(otherwise) ? otherwise : {};
  const unknown = Object.keys(styles).find((name) => !styleNames.has(name));
  if (unknown !== undefined)
    reader.problem('/otherwise', `there is no style ${quoted(unknown)}; there are ${[...styleNames].join(', ')}`);
  return stylesIn(styles, '/otherwise', reader);
}

function stylesIn(styles: OpenObject, above: string, reader: ActionReader): SetStyles {
  const setters = styled.flatMap((name) => styleOf(name, styles, above, reader) ?? []);
  return (object, item) => {
    for (const set of setters) set(object, item);
  };
}

function styleOf(name: string, styles: OpenObject, above: string, reader: ActionReader): SetStyles | undefined {
  const below = `${above}/style_${name}`;
  const style = member(styles, `style_${name}`);
  if (!isObject(style)) return undefined;
  const type = textMember(style, 'type', 'current-value');
  if (type === 'current-value') return undefined;
  const convert = converterOf(name);
  const misfit = (value: Value, wanted: string): string => `${name} must be ${wanted}, not ${kindOf(value)}`;
  if (type === 'custom') {
    const value = member(style, 'value');
    if (name === 'label_text') return labelTemplate(value, `${below}/value`, reader);
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

/** The text of a label is a template. */
function labelTemplate(value: unknown, below: string, reader: ActionReader): SetStyles | undefined {
  if (typeof value !== 'string') return reader.problem(below, `label_text must be a text, not ${kindOf(value)}`);
  const fill = reader.template(value, below, 'text');
  return (object, item) => {
    const converted = toLabel(fill(item));
    if (typeof converted === 'object') object['label_text'] = converted.value;
  };
}
