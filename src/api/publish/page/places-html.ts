/**
 * The places of a map as HTML, by artboard and category: for readers without JavaScript, and for search engines. All texts are escaped, and popups
 * are texts, so nothing of a map becomes markup.
 */
import { cleanHtml } from '../../../lib/html/clean-html.ts';
import { escapeHtml } from '../../../lib/html/escape-html.ts';
import type { PublicMap } from '../../../model/settings/public-map-schema.ts';
import type { PageTexts } from './page-texts.ts';

/** Bytes of the places of one map, in UTF-8. */
export const placesBytesMax = 256 * 1024;
/** Characters of the HTML of a popup that are read, and of its text that are shown. */
const contentLengthMax = 20_000;
const textLengthMax = 2_000;
/** Room for what ends the list. */
const endBytes = 1024;

export interface PublicObject {
  readonly id?: string;
  readonly name?: string;
  readonly category?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface PublicArtboard {
  readonly name?: string;
  readonly objects?: readonly PublicObject[];
}

export interface PublicPopup {
  readonly attachedTo?: string;
  readonly title?: string;
  readonly content?: string;
}

export interface PlacesOptions {
  readonly artboards: readonly PublicArtboard[];
  readonly popups: readonly PublicPopup[];
  readonly categories: NonNullable<PublicMap['categories']>;
  readonly fields: NonNullable<PublicMap['fields']>;
  readonly texts: PageTexts;
  /** The form of numbers. */
  readonly lang: string;
}

/** At most {@link placesBytesMax} bytes; the last line says how many places are left out. '' for a map without places. */
export function placesHtml(options: PlacesOptions): string {
  const { artboards, popups, texts } = options;
  const popupOf = new Map(popups.map((popup) => [popup.attachedTo ?? '', popup]));
  const most = placesBytesMax - endBytes;
  let html = '';
  let bytes = 0;
  let left = 0;
  for (const artboard of artboards) {
    let heading = artboards.length > 1 && artboard.name !== undefined ? `<h2>${escapeHtml(artboard.name)}</h2>\n` : '';
    for (const { label, places } of groupsOf(artboard.objects ?? [], options, popupOf)) {
      let opening = `${heading}${label === '' ? '' : `<h3>${escapeHtml(label)}</h3>\n`}<ul>\n`;
      for (const place of places) {
        // The list ends with the first place that has no room.
        const item = left > 0 ? '' : opening + placeHtml(place, popupOf, options);
        const itemBytes = Buffer.byteLength(item) + listEnd.length;
        if (left > 0 || bytes + itemBytes > most) {
          left++;
          continue;
        }
        html += item;
        bytes += itemBytes;
        opening = '';
        heading = '';
      }
      if (opening === '') html += listEnd;
    }
  }
  return left === 0 ? html : `${html}<p>${escapeHtml(texts.more(left))}</p>\n`;
}

const listEnd = '</ul>\n';

interface Group {
  /** '' if no heading says what it is. */
  readonly label: string;
  readonly places: readonly PublicObject[];
}

type Popups = ReadonlyMap<string, PublicPopup>;

/** The places of an artboard: categories in the order of the settings, then those that only objects name, then the others. */
function groupsOf(objects: readonly PublicObject[], { categories, fields, texts }: PlacesOptions, popups: Popups): Group[] {
  const groups = new Map<string, PublicObject[]>(categories.map(({ name }) => [name, []]));
  const others: PublicObject[] = [];
  for (const object of objects) {
    const { id = '', category = '' } = object;
    const hasFields = fields.some(({ name }) => isShown(object.properties?.[name]));
    const isPlace = popups.has(id) || (titleOf(object, popups) !== '' && (category !== '' || hasFields));
    if (!isPlace) continue;
    const known = groups.get(category);
    if (category === '') others.push(object);
    else if (known === undefined) groups.set(category, [object]);
    else known.push(object);
  }
  const labels = new Map(categories.map(({ name, label = '' }) => [name, label || name]));
  const named = [...groups].map(([name, places]): Group => ({ label: labels.get(name) ?? name, places }));
  const full = named.filter(({ places }) => places.length > 0);
  return others.length === 0 ? full : [...full, { label: full.length === 0 ? '' : texts.otherPlaces, places: others }];
}

/** The name that the editor gives to new objects says nothing. */
const unnamed = 'Untitled Object';

function titleOf({ id = '', name = '' }: PublicObject, popups: Popups): string {
  return name !== '' && name !== unnamed ? name : (popups.get(id)?.title ?? '');
}

function placeHtml(object: PublicObject, popups: Popups, { fields, texts, lang }: PlacesOptions): string {
  const popup = popups.get(object.id ?? '');
  const title = titleOf(object, popups);
  const heading = popup?.title === undefined || popup.title === title ? '' : popup.title;
  const content = cleanHtml((popup?.content ?? '').slice(0, contentLengthMax)).text;
  const text = content.length > textLengthMax ? `${content.slice(0, textLengthMax).replace(/\p{Surrogate}$/u, '')}…` : content;
  const rows = fields.flatMap(({ name, label = '', kind }) => {
    const value = object.properties?.[name];
    if (!isShown(value)) return [];
    const shown = escapeHtml(shownValue(value, texts, lang));
    const isLink = kind === 'link' && /^https?:\/\//i.test(String(value));
    return [`<dt>${escapeHtml(label || name)}</dt><dd>${isLink ? `<a href="${shown}" rel="nofollow">${shown}</a>` : shown}</dd>`];
  });
  return [
    `<li><b>${escapeHtml(title)}</b>`,
    ...[heading, text].flatMap((each) => (each === '' ? [] : [`<p>${escapeHtml(each).replaceAll('\n', '<br>')}</p>`])),
    ...(rows.length === 0 ? [] : [`<dl>${rows.join('')}</dl>`]),
    '</li>\n',
  ].join('');
}

const isShown = (value: unknown): value is string | number | boolean =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '');

function shownValue(value: string | number | boolean, { yes, no }: PageTexts, lang: string): string {
  if (typeof value === 'boolean') return value ? yes : no;
  return typeof value === 'number' ? new Intl.NumberFormat(lang, { maximumFractionDigits: 6 }).format(value) : value;
}
