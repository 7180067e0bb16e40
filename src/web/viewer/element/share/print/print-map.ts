/** Prints what a map shows on A4: the map at 200 dpi, and the places on it with their numbers. */
import { creditText } from '../../../drawing/ground/tile-source.ts';
import { knownLanguages } from '../../texts.ts';
import { pageAddress, visibleExtent } from '../map-link.ts';
import { titlesOf } from '../map-title.ts';
import type { ShareHost } from '../share-contract.ts';
import { shareTextsFor } from '../share-texts.ts';
import { viewPicture } from '../view-picture.ts';
import { type ListedPlaces, listedPlaces } from './listed-places.ts';
import { mapKey } from './map-key.ts';
import { placeNumbers } from './place-numbers.ts';
import { PrintSheet } from './print-sheet.ts';
import { scaleBarFor } from './scale-bar.ts';

/** Dots of the printed map per inch, and pixels of CSS. */
const [dotsPerInch, pixelsPerInch] = [200, 96];
/** Greatest width of the scale bar, in CSS pixels. */
const scaleMost = 160;

let printed: PrintSheet | undefined;
/** The maps of a page are printed one after the other. */
let last: Promise<unknown> = Promise.resolve();

/** Opens the browser's print dialog. Resolves whether all pictures are there. Rejects if the map cannot be drawn. */
export function printMap(host: ShareHost): Promise<boolean> {
  const made = last.then(() => printNow(host));
  last = made.catch(() => undefined);
  return made;
}

async function printNow(host: ShareHost): Promise<boolean> {
  const { drawing, badge } = host.stage;
  const { shown } = host.source;
  const { artboard } = host.navigation;
  if (drawing === undefined || shown === undefined || artboard === undefined) throw new Error('the map shows nothing yet');
  clear();
  const extent = visibleExtent(drawing);
  const [left, bottom, right, top] = extent;
  const languages = knownLanguages(host.language().languages);
  const words = shareTextsFor(languages);
  const labels = new Map(shown.still.map.categories.map(({ name, label }) => [name, label]));
  const labelOf = (name: string): string => labels.get(name) ?? (name || words.other);
  const { map: title, artboard: subtitle } = titlesOf(host);
  const credit = drawing.shownTiles === undefined ? '' : creditText(drawing.shownTiles);
  const used = artboard.objects.filter((object) => host.filter.passes(object));
  const sheet = new PrintSheet({
    ...{ title, subtitle, languages },
    orientation: right - left >= top - bottom ? 'landscape' : 'portrait',
    key: mapKey(host, new Set(used.map(({ category }) => category)), labelOf),
    // Data that are old must not look like those of today.
    notes: [badge.element.textContent ?? '', credit, pageAddress(host)],
    date: new Date().toLocaleDateString(languages, { dateStyle: 'long' }),
  });
  printed = sheet;
  try {
    const [width, height] = sheet.mapSize;
    let places: ListedPlaces = { groups: [], total: 0 };
    let numberOf: ReadonlyMap<string, number> = new Map();
    const picture = await viewPicture(host, {
      ...{ width, height, extent: [...extent], pixelRatio: dotsPerInch / pixelsPerInch, hasNoCredit: true, hasNoGroups: true },
      annotate: (paper) => {
        places = listedPlaces(host, artboard, paper, [width, height]);
        const ids = places.groups.flatMap((group) => group.places.map(({ id }) => id));
        const numbers = placeNumbers(paper, ids);
        numberOf = numbers.numberOf;
        return numbers;
      },
    });
    // The page has removed the map, or the paper, meanwhile: it would be printed itself.
    if (!host.element.isConnected || !sheet.isThere) {
      clear();
      return true;
    }
    sheet.putMap(picture.canvas);
    if (drawing.measures.keepsSize) sheet.putScale(scaleBarFor(picture.resolution, picture.centre[1] ?? 0, scaleMost, languages));
    sheet.putPlaces(places, numberOf, { words, labelOf });
    print();
    clearLater();
    return !picture.isIncomplete;
  } catch (error) {
    clear();
    throw error;
  }
}

function clear(): void {
  printed?.remove();
  printed = undefined;
}

/** Some browsers print only after `print` has returned: the sheet stays until the visitor does something else, or prints the page itself. */
function clearLater(): void {
  const done = new AbortController();
  const { signal } = done;
  const end = (): void => {
    done.abort();
    clear();
  };
  for (const event of ['pointerdown', 'keydown']) addEventListener(event, end, { signal, capture: true });
  addEventListener('afterprint', () => addEventListener('beforeprint', end, { signal }), { signal });
}
