/**
 * What the page of a published map has besides the map: its title, description, header, and its places for readers without JavaScript. Made once,
 * when the map is published, from what is public of it. Pure.
 */
import { isDark } from '../../../lib/draw/contrast.ts';
import { hexOf, parseColour } from '../../../lib/draw/css-colour.ts';
import { addressOf, withScheme } from '../../../lib/draw/link-rules.ts';
import { visibleName } from '../../../lib/draw/map-name.ts';
import { headerBounds, languageForm } from '../../../lib/draw/public-map.ts';
import type { PublicSettings } from '../../../model/settings/settings.ts';
import { pageTextsFor } from './page-texts.ts';
import { type PublicArtboard, type PublicPopup, placesHtml } from './places-html.ts';

/** The public part of a project, as far as its page needs it. */
export interface PublicDocument {
  readonly name?: string;
  readonly settings?: PublicSettings;
  readonly artboards?: readonly PublicArtboard[];
  readonly popups?: readonly PublicPopup[];
}

export interface HeaderLink {
  readonly label: string;
  readonly url: string;
}

/** The header of a page. */
export interface PageHeader {
  readonly title: string;
  /** Address of a picture; '' for none. */
  readonly logo: string;
  /** `#rrggbb`; '' for none. */
  readonly accent: string;
  /** Colour of texts on the accent. */
  readonly onAccent: string;
  readonly links: readonly HeaderLink[];
}

export interface PageContent {
  readonly title: string;
  /** '' for none. */
  readonly description: string;
  /** The language of the texts of the map, such as `de`. */
  readonly lang: string;
  /** Search engines may list the page. */
  readonly indexed: boolean;
  readonly header: PageHeader | undefined;
  /** HTML of the places of the map; '' for none. */
  readonly places: string;
}

/** The content for a map that was published before pages had one. */
export const emptyContent: PageContent = {
  ...{ title: 'Map', description: '', lang: 'en', indexed: false, header: undefined, places: '' },
};

const isLanguage = new RegExp(languageForm);
/** Relative addresses are checked as if they were on this page. */
const anyPage = 'https://map.invalid/p/map';

export function pageContent({ name = '', settings = {}, artboards = [], popups = [] }: PublicDocument): PageContent {
  const map = settings.public_map ?? {};
  const lang = map.lang !== undefined && isKnownLanguage(map.lang) ? map.lang : emptyContent.lang;
  const title = visibleName(name) || emptyContent.title;
  return {
    ...{ title, lang, description: (map.description ?? '').trim(), indexed: map.indexed === true },
    header: map.header && headerOf(map.header, title),
    places: placesHtml({
      artboards,
      popups,
      categories: map.categories ?? [],
      fields: map.fields ?? [],
      texts: pageTextsFor(lang),
      lang,
    }),
  };
}

/** False also for a tag that has the form of one and means nothing, such as `en-US-GB`. */
function isKnownLanguage(tag: string): boolean {
  try {
    return isLanguage.test(tag) && Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

type HeaderSettings = NonNullable<NonNullable<PublicSettings['public_map']>['header']>;

/** Without what would be no link and no picture. */
function headerOf({ title = '', logo = '', accent = '', links = [] }: HeaderSettings, name: string): PageHeader {
  const colour = parseColour(accent);
  return {
    title: title.trim() || name,
    logo: addressOf(logo, 'picture', anyPage) === undefined ? '' : logo.trim(),
    accent: colour === undefined ? '' : hexOf(colour.rgb),
    onAccent: colour !== undefined && !isDark(colour.rgb) ? '#000000' : '#ffffff',
    links: links
      .map(({ label, url }) => ({ label, url: withScheme(url) ?? url }))
      .filter(({ url }) => addressOf(url, 'link', anyPage) !== undefined)
      .slice(0, headerBounds.links),
  };
}
