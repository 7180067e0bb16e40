/** The fields of an object and the way to it, as elements. Values are text: none becomes markup. */
import { withScheme } from '../../../../lib/draw/link-rules.ts';
import { drawnArea, toPlace } from '../../../../lib/geo/geo.ts';
import { linkTo } from '../content-address.ts';
import { make } from '../dom.ts';
import type { FieldValue } from '../shown-map.ts';
import { detailsTextsFor } from './details-texts.ts';
import type { DetailsContent } from './details-view.ts';
import { shownValue } from './field-format.ts';
import { shownPicture } from './shown-picture.ts';

export function fieldRows(content: DetailsContent): HTMLElement[] {
  const rows = make('dl', { className: 'fields' });
  for (const field of content.details.fields) {
    const shown = shownField(field, content);
    rows.append(make('div', {}, make('dt', { textContent: field.field.label }), make('dd', {}, shown)));
  }
  const route = routeTo(content);
  return [...(rows.childElementCount === 0 ? [] : [rows]), ...(route === undefined ? [] : [route])];
}

function shownField({ field: { kind }, value }: FieldValue, { languages, filesBase }: DetailsContent): Node | string {
  const text = shownValue(kind, value, languages);
  if (kind === 'picture') return shownPicture(text, filesBase) ?? text;
  const address =
    kind === 'link'
      ? (withScheme(text) ?? text)
      : kind === 'mail'
        ? mailAddress(text)
        : kind === 'telephone'
          ? telephone(text)
          : undefined;
  const link = address === undefined ? undefined : linkTo(address, kind === 'link', filesBase);
  return link === undefined ? text : make('a', { ...link, textContent: text });
}

/** One address, without headers such as `cc` that an unencoded text could add. */
const mailAddress = (text: string): string | undefined =>
  /^[^\s@]+@[^\s@]+$/.test(text)
    ? `mailto:${encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll('%40', '@')}`
    : undefined;

/** `undefined` for a text that has no digits to dial. */
function telephone(text: string): string | undefined {
  const digits = text.replace(/[^\d+]/g, '');
  return /\d{3}/.test(digits) ? `tel:${digits}` : undefined;
}

const degrees = (value: number): string => value.toFixed(6).replace(/\.?0+$/, '');

/** Directions on openstreetmap.org to an object on a map. */
function routeTo({ artboard, point, languages }: DetailsContent): HTMLElement | undefined {
  if (artboard.type !== 'osm' || point === undefined) return undefined;
  const { lat, lng } = toPlace(drawnArea(artboard))(point);
  const href = `https://www.openstreetmap.org/directions?to=${degrees(lat)}%2C${degrees(lng)}`;
  const { route } = detailsTextsFor(languages);
  return make(
    'p',
    { className: 'action' },
    make('a', { href, target: '_blank', rel: 'noopener noreferrer', textContent: route }),
  );
}
