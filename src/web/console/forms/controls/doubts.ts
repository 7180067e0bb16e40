/** What a value cannot be, although the API takes it: the map would not show it, or follow it. Said while the user types; nothing is refused. */
import { parseColour } from '../../../../lib/draw/css-colour.ts';
import { type AddressUse, addressOf, addressRules, placeInLink, withScheme } from '../../../../lib/draw/link-rules.ts';
import { texts } from '../../console-texts.ts';
import type { FormField } from '../../kinds/form-field.ts';
import type { Kind } from '../../kinds/resource-kinds.ts';
import { isAddress } from './targets/link-target.ts';

/** Corners of a polygon at least. */
const cornersMin = 3;
/** Any absolute address: only the scheme of an address matters here. */
const base = 'https://map.example/';

const isTemplate = (text: string): boolean => text.includes('{');

/** About a colour; '' for nothing. Without a text the map uses its default. */
export const colourDoubt = (text: string): string =>
  text.trim() === '' || isTemplate(text) || parseColour(text) !== undefined ? '' : texts.doubts.colour(text.trim());

/** About a number; '' for nothing. */
export function numberDoubt({ minimum, maximum, drawn = {} }: FormField, text: string): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return '';
  const { minimum: least = minimum, maximum: most = maximum } = drawn;
  const isOutside = (least !== undefined && value < least) || (most !== undefined && value > most);
  return isOutside ? texts.doubts.range(least, most) : '';
}

/** What an address is for; `undefined` for one that the server requests. */
const useOf = (kind: Kind, editor: FormField['kind']): AddressUse | undefined =>
  kind === 'data_source' ? undefined : editor === 'picture' ? 'picture' : 'link';

/** About an address; '' for nothing. @param hasPlace whether the map has an artboard or an object of this identifier or name */
export function addressDoubt(
  kind: Kind,
  { kind: editor, name }: Pick<FormField, 'kind' | 'name'>,
  text: string,
  hasPlace = (_place: string) => true,
): string {
  if (text.trim() === '' || isTemplate(text)) return targetDoubt(kind, name, text);
  const use = useOf(kind, editor);
  if (use === 'link' && text.trim().startsWith('#')) return hasPlace(placeInLink(text) ?? '') ? '' : texts.doubts.place;
  if (use !== undefined && (addressOf(text, use, base) === undefined || /^\s*\w+:\/\/[^/?#]*\s+[^\s]/.test(text)))
    return texts.doubts.address(use, addressRules[use]);
  if (editor === 'link' && !isAddress(text)) return texts.doubts.neither(text.trim());
  const fixed = withScheme(text);
  if (use !== undefined) return fixed === undefined ? '' : texts.forms.useAddress(fixed);
  return /^https?:\/\//i.test(text.trim()) && URL.canParse(text.trim()) ? '' : texts.doubts.source;
}

/** About where a click on an object leads; '' for nothing. */
export const targetDoubt = (kind: Kind, name: string, target: string): string =>
  kind === 'object' && /^click_action_/.test(name) && target.trim() === '' ? texts.doubts.target : '';

/** About the corners of a polygon; '' for nothing. */
export const cornersDoubt = (corners: number): string => (corners < cornersMin ? texts.doubts.corners(corners) : '');
