/** All texts of the element, by language. */
import { nameOf } from '../drawing/map-document.ts';

const english = {
  map: 'Map: {name}',
  mapHelp: 'Arrow keys move the map, plus and minus zoom.',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Show everything',
  artboards: 'Parts of the map',
  artboard: 'Part {number}',
  objects: 'Places on the map',
  legend: 'Legend',
  unnamed: 'Place {number}',
  popup: 'Details',
  search: 'Search',
  menu: 'Share, print, save',
  close: 'Close',
  contentCut: 'The rest of this text is too long to be shown.',
  wheelHint: 'Hold {key} and scroll to zoom',
  touchHint: 'Use two fingers to move the map',
  loading: 'Loading the map',
  preparing: 'The picture is being prepared',
  empty: 'This map has nothing to show yet.',
  retry: 'Try again',
  problemMissing: 'There is no published map at this address.',
  problemNetwork: 'The map could not be loaded. Check your connection.',
  problemFormat: 'The published map cannot be read.',
  problemImage: 'The background image could not be loaded.',
  problemTiles: 'The background map could not be loaded.',
  problemLive: 'The live data could not be loaded.',
  dataFrom: 'Data from {time}',
  noData: 'No data',
  noDataSince: 'No data since {time}',
  problemSource: 'This map has no address: set the attribute "src".',
};

export type Texts = Readonly<typeof english>;

const german: Texts = {
  map: 'Karte: {name}',
  mapHelp: 'Die Pfeiltasten verschieben die Karte, Plus und Minus zoomen.',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  fit: 'Alles zeigen',
  artboards: 'Teile der Karte',
  artboard: 'Teil {number}',
  objects: 'Orte auf der Karte',
  legend: 'Legende',
  unnamed: 'Ort {number}',
  popup: 'Einzelheiten',
  search: 'Suchen',
  menu: 'Teilen, drucken, speichern',
  close: 'Schließen',
  contentCut: 'Der Rest dieses Textes ist zu lang und wird nicht gezeigt.',
  wheelHint: 'Zum Zoomen {key} halten und scrollen',
  touchHint: 'Mit zwei Fingern verschieben',
  loading: 'Die Karte wird geladen',
  preparing: 'Das Bild wird vorbereitet',
  empty: 'Diese Karte hat noch keinen Inhalt.',
  retry: 'Erneut versuchen',
  problemMissing: 'Unter dieser Adresse ist keine Karte veröffentlicht.',
  problemNetwork: 'Die Karte konnte nicht geladen werden. Prüfen Sie die Verbindung.',
  problemFormat: 'Die veröffentlichte Karte ist nicht lesbar.',
  problemImage: 'Das Hintergrundbild konnte nicht geladen werden.',
  problemTiles: 'Die Hintergrundkarte konnte nicht geladen werden.',
  problemLive: 'Die aktuellen Daten konnten nicht geladen werden.',
  dataFrom: 'Daten von {time}',
  noData: 'Keine Daten',
  noDataSince: 'Keine Daten seit {time}',
  problemSource: 'Diese Karte hat keine Adresse: setzen Sie das Attribut „src“.',
};

const languages: Readonly<Record<string, Texts>> = { en: english, de: german };

/** The texts of the first language that there are texts in: `de-AT` is German; English otherwise. */
export const textsFor = (tags: readonly string[]): Texts => inLanguage(languages, tags) ?? english;

/** The texts of the first language that there are texts in. */
export function inLanguage<Each>(texts: Readonly<Record<string, Each>>, tags: readonly string[]): Each | undefined {
  for (const tag of tags) {
    const language = tag.toLowerCase().split('-')[0] ?? '';
    if (Object.hasOwn(texts, language)) return texts[language];
  }
  return undefined;
}

/** The languages that the browser knows; a page may name any. */
export function knownLanguages(languages: readonly string[]): string[] {
  return languages.filter((language) => {
    try {
      return Intl.getCanonicalLocales(language).length > 0;
    } catch {
      return false;
    }
  });
}

/** The name of an artboard as visitors read it: its number if it has none. @param at its position */
export const artboardTitle = (artboard: { readonly name: string }, at: number, texts: Texts): string =>
  nameOf(artboard) || filledIn(texts.artboard, { number: at + 1 });

/** Fills in the parameters of a text. */
export const filledIn = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
