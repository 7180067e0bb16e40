/** Texts of panels that are loaded when they are used, in whole sentences with parameters. See `console-texts.ts` for translations. */

import type { FailingSource } from '../client/client.ts';
import type { Format } from '../convert/converter.ts';
import { hasRows } from '../convert/format-names.ts';
import { hour, number, spelt, texts, time } from './console-texts.ts';
import type { Role } from './controls.ts';
import type { Alignment } from './shapes/arrange.ts';

/** The server knows in which hour. @param moment the beginning of the hour: RFC 3339 */
const withinHour = (moment: string): string => time.formatRange(new Date(moment), new Date(Date.parse(moment) + 3_600_000));

const day = new Intl.DateTimeFormat('en', { dateStyle: 'full' });
const percent = (share: number): string => `${number.format(Math.round(share * 1000) / 10)} %`;
/** A plan, in pixels. */
type Size = Readonly<Record<'width' | 'height', number>>;

const sizeOf = ({ width, height }: Size): string => `${number.format(width)} × ${number.format(height)} pixels`;
const ratioOf = ({ width, height }: Size): string => `${number.format(Math.round((width / height) * 100) / 100)} : 1`;

const sides = { former: 'former plan', next: 'new plan' };

const choices = {
  scale: 'Scale the objects with the picture',
  keep: 'Keep the objects at their pixels',
  align: 'Align the new plan with three points',
};

const choiceHints = {
  scale: 'The new picture shows the same part of the building.',
  keep: 'The new picture is larger or smaller at its right and lower edge.',
  align: 'The new picture is cropped, moved, turned or scaled.',
};

type Failing = Pick<FailingSource, 'name' | 'detail' | 'since' | 'body_at'>;

/** The time of today, or the day with it. */
function moment(at: string): string {
  const date = new Date(at);
  return (date.toDateString() === new Date().toDateString() ? hour : time).format(date);
}
const goodData = (at: string | null): string =>
  at === null ? 'There is no good response.' : `The last good response, from ${moment(at)}, stays in use.`;

/** Seconds in words: rounded up to minutes from three minutes on, and to hours from three hours on. */
function spanOf(seconds: number): string {
  if (seconds < 180) return texts.count(seconds, 'second', 'seconds');
  if (seconds < 3 * 3600) return texts.count(Math.ceil(seconds / 60), 'minute', 'minutes');
  return texts.count(Math.ceil(seconds / 3600), 'hour', 'hours');
}

/** Names in the question before projects are deleted. */
const namesMax = 8;
const oneOrAll = (names: readonly string[]): string =>
  names.length === 1 ? String(names[0]) : `${number.format(names.length)} projects`;

export const lateTexts = {
  cards: {
    title: 'Projects',
    search: 'Search projects',
    create: 'New project',
    newName: 'Untitled Project',
    importFile: 'Import a file…',
    examples: 'Load the examples',
    loadingExamples: (done: number, all: number): string => `Loading example ${done} of ${all}…`,
    importing: (name: string): string => `Importing ${name}…`,
    importingSome: (done: number, all: number): string => `Importing ${done} of ${all}…`,
    imported: (n: number): string => `${texts.count(n, 'project', 'projects')} imported.`,
    importedSome: (done: number, all: number, name: string, why: string): string =>
      `Imported ${done} of ${all} projects, then “${name}” was refused: ${why}`,
    fileName: oneOrAll,
    download: 'Download',
    select: (name: string): string => `Select ${name}`,
    selected: (n: number): string => `${number.format(n)} selected`,
    selectAll: 'Select all',
    selectNone: 'Select none',
    duplicating: (done: number, all: number): string => `Duplicating ${done} of ${all}…`,
    downloading: (done: number, all: number): string => `Downloading ${done} of ${all}…`,
    removing: (done: number, all: number): string => `Deleting ${done} of ${all}…`,
    duplicated: (names: readonly string[]): string => `Duplicated ${oneOrAll(names)}.`,
    downloaded: (names: readonly string[]): string => `Downloaded ${oneOrAll(names)}.`,
    notDownloaded: (n: number, all: number, why: string): string =>
      `Not downloaded: ${n} of ${texts.count(all, 'project', 'projects')}. ${why}`,
    removed: (names: readonly string[]): string => `Deleted ${oneOrAll(names)}.`,
    removeTitle: (names: readonly string[]): string => `Delete ${oneOrAll(names)}?`,
    removeText: (names: readonly string[]): string =>
      names.length === 1
        ? 'The project and everything in it is deleted for everybody. This cannot be undone. Download it first to keep a copy.'
        : `${names.slice(0, namesMax).join(', ')}${names.length > namesMax ? ` and ${names.length - namesMax} more` : ''}: they are deleted for everybody, with everything in them. This cannot be undone. Download them first to keep copies.`,
    created: 'Created',
    order: 'Order',
    orders: { change: 'Last change', name: 'Name' },
    folders: 'Folders',
    count: (n: number): string => texts.count(n, 'project', 'projects'),
    emptyFolder: 'This folder is empty. A “/” in the name of a project puts it in a folder.',
    welcome: 'Make your first map',
    welcomeText: 'What do you have?',
    welcomeReadOnly: 'This account has no projects yet, and this key may not create any.',
    noMatch: (query: string): string => `No project matches “${query}”.`,
    dropHere: 'Drop a picture or data (CSV, Excel, GeoJSON, KML, GPX, SVG) to start a map, or an exported project to import it.',
    noPreview: 'No preview',
    published: 'Published',
    stale: 'Published, changed since',
  },
  starts: {
    choices: {
      plan: ['A plan', 'A picture of a floor, a site or a hall. Draw rooms and places on it.'],
      places: ['Places from a file', 'CSV, Excel, GeoJSON, KML, GPX, SVG and others. Rows and shapes become places on a map.'],
      live: ['Live data', 'An office with simulated sensors. Put your own data in their place.'],
      example: ['An example', 'A finished map. Change it, or see how it is made.'],
    },
    chooseExample: 'Choose an example',
    examples: {
      'shopping-centre': ['Shopping centre', 'Two floors, thirty shops with logos, categories and filters'],
      office: ['Office', 'Three floors that follow sensors'],
      cities: ['Largest cities', '5,000 places by continent'],
      'world-countries': ['Countries of the world', 'Outlines with popups'],
      'us-counties': ['Counties of the United States', '3,368 outlines; states lead to them'],
    },
    allExamples: 'Load all five',
    liveName: 'Live office',
    dropHere: 'Or drop files anywhere on this page.',
  },
  imports: {
    title: (file: string): string => `Import ${file}`,
    reading: 'Reading the file…',
    noConverter: 'The converter could not be loaded. Reload this page.',
    tooLarge: (file: string): string => `${file} has more than 512 MB. Split it, or keep only what the map shows.`,
    unreadable: (file: string): string => `${file} cannot be read. Was it moved or deleted?`,
    found: (format: Format, read: number, made: number): string =>
      `${hasRows(format) ? texts.count(read, 'row', 'rows') : texts.count(read, 'element', 'elements')}, ${texts.count(made, 'object', 'objects')}`,
    simplified: (before: number, after: number): string =>
      `Outlines are simplified: ${number.format(before)} corners became ${number.format(after)}.`,
    swapped: 'Latitude and longitude seem to be the wrong way round.',
    swap: 'Swap latitude and longitude',
    swapBack: 'Latitude and longitude are swapped. Use them as in the file',
    place: 'Place',
    placements: {
      map: 'On a new map around the data',
      picture: 'The artboard gets the size of the picture',
      centre: 'Move the map to the data',
      keep: 'On the map as it is',
      fit: 'Fit the data into the artboard',
      pixels: 'Coordinates are pixels of the artboard',
    },
    layer: 'Layer',
    sheet: 'Sheet',
    encoding: 'Encoding',
    encodings: {
      recognized: 'Recognized',
      'utf-8': 'Unicode (UTF-8)',
      'windows-1252': 'Western European (Windows-1252)',
      'windows-1250': 'Central European (Windows-1250)',
      'windows-1251': 'Cyrillic (Windows-1251)',
      'windows-1253': 'Greek (Windows-1253)',
      'windows-1254': 'Turkish (Windows-1254)',
      'windows-1255': 'Hebrew (Windows-1255)',
      'windows-1256': 'Arabic (Windows-1256)',
      macintosh: 'Western European (Mac)',
      'koi8-r': 'Cyrillic (KOI8-R)',
      shift_jis: 'Japanese (Shift JIS)',
      gbk: 'Chinese, simplified (GBK)',
      big5: 'Chinese, traditional (Big5)',
      'euc-kr': 'Korean (EUC-KR)',
    },
    lineWidth: 'Width of lines in pixels; 0 leaves them out',
    columns: 'Columns',
    latitude: 'Latitude',
    longitude: 'Longitude',
    x: 'X in pixels',
    y: 'Y in pixels',
    nameColumn: 'Name',
    keyColumn: 'Key',
    keyHint: 'A column with a different value in each row. The next import finds the same objects by it and updates them.',
    categoryColumn: 'Category',
    categoryHint: 'Visitors show and hide categories. Each gets a colour.',
    categoryKnown: 'Categories that the map has keep their colours and icons.',
    categoryOther: 'The colours are those of “Colour by”.',
    columnValues: (column: string, n: number): string => `${column} (${texts.count(n, 'value', 'values')})`,
    moreCategories: (n: number): string => `and ${number.format(n)} more`,
    fields: 'What visitors see',
    fieldsHint: 'All columns are kept with the objects. Those without a tick are not published.',
    allFields: 'All',
    noFields: 'None',
    fieldPlaces: (column: string): string => `Where visitors find ${column}`,
    preview: 'As visitors see it',
    previewOf: (place: string, at: number, of: number): string => `Object ${number.format(at)} of ${number.format(of)}, ${place}`,
    previousRow: 'Previous object',
    nextRow: 'Next object',
    previewEmpty: 'Nothing opens: no column has a tick, and there is no popup.',
    previewPlain: 'The map also has the markup of the popup.',
    more: 'Colours by value, sizes, popups from templates',
    nameTemplate: 'Name from several columns, such as {street} {number}',
    colorColumn: 'Colour by',
    colorBy: 'Colours for',
    category: 'each category',
    value: 'low to high values',
    palette: 'Palette',
    steps: 'Classes',
    quantiles: 'equally many values',
    equal: 'equal width',
    stepCount: 'Number of classes',
    radiusColumn: 'Size by',
    radiusMost: 'Greatest radius in pixels',
    popupTitle: 'Popup title',
    popupContent: 'Popup content (HTML)',
    popupHint: (column: string): string => `{${column}} stands for the value of that column.`,
    none: '(none)',
    legend: 'Publish the colours as the legend of the map',
    legendTitle: 'Legend of the map',
    legendChoices: {
      add: (n: number): string => `Add these colours after the ${texts.count(n, 'entry', 'entries')} that it has`,
      replace: (n: number): string => `Replace it: ${texts.count(n, 'entry is', 'entries are')} deleted`,
      leave: (): string => 'Leave it as it is',
    },
    background: 'Use the rest of the picture as the background',
    missing: (n: number): string =>
      `${texts.count(n, 'object', 'objects')} with a key ${n === 1 ? 'is' : 'are'} no longer in the file`,
    keep: 'Keep them',
    remove: 'Delete them with their popups',
    firstRows: (n: number): string => (n === 1 ? 'The first row' : `The first ${n} rows`),
    report: (n: number): string => texts.count(n, 'note about the file', 'notes about the file'),
    moreNotes: (n: number): string => `… and ${number.format(n)} more`,
    leftOut: 'Left out',
    start: (create: number, update: number, remove: number): string =>
      [
        ...(create > 0 || update + remove === 0 ? [`Import ${texts.count(create, 'object', 'objects')}`] : []),
        ...(update > 0 ? [`${create > 0 ? 'update' : 'Update'} ${number.format(update)}`] : []),
        ...(remove > 0 ? [`${create + update > 0 ? 'delete' : 'Delete'} ${number.format(remove)}`] : []),
      ].join(', '),
    /** The button for a file with nothing else. */
    startPicture: 'Import the picture',
    writing: (done: number, of: number): string => `Written: ${number.format(done)} of ${number.format(of)}`,
    undoing: 'Undoing what was written…',
    /** Rows that were not imported, after an import. */
    leftOutOf: (n: number, at: string, detail: string): string =>
      `${texts.count(n, 'row or element is', 'rows or elements are')} left out${n === 1 ? '' : ', such as'} ${at}: ${detail}`,
    done: (created: number, updated: number, removed: number): string => {
      const parts = [
        ...(created > 0 ? [`${number.format(created)} new`] : []),
        ...(updated > 0 ? [`${number.format(updated)} updated`] : []),
        ...(removed > 0 ? [`${number.format(removed)} deleted`] : []),
      ];
      return `Imported: ${parts.join(', ') || 'the picture'}. One undo takes it back.`;
    },
    refused: (at: string | undefined, reason: string): string =>
      `The server refused the import, and nothing was imported. ${at === undefined ? '' : `In ${at}: `}${reason}`,
  },
  tour: {
    count: (at: number, all: number): string => `${at} of ${all}`,
    end: 'End the tour',
    back: 'Back',
    next: 'Next',
    done: 'Done',
    steps: {
      artboards: {
        title: 'Artboards',
        text: 'A map has one or more of them, such as the floors of a building. Behind each is a colour, a picture of a plan, or a map of the Earth.',
      },
      tools: {
        title: 'Tools',
        text: 'Spots, areas, lines and texts are drawn with these. Choose a tool, then click or tap on the map. Each has a key.',
      },
      lists: {
        title: 'Lists',
        text: 'Everything that is on the artboard, and what lies behind it: popups, data, variables, actions, and problems to repair. A file of places is imported here.',
      },
      form: {
        title: 'Form',
        text: 'What you have selected: its name, category, colour, icon and popup, and the rest under Advanced. Every change is saved at once, and can be undone.',
      },
      settings: {
        title: 'Map settings',
        text: 'What visitors can filter, read and search: categories, fields, names on the map, and the first view. A preview shows the map as they will see it.',
      },
      publish: {
        title: 'Publish',
        text: 'Visitors see the map once you publish it. Then it has a link, and two lines that show it on your own page.',
      },
    },
  },
  help: {
    title: 'Help',
    tour: 'Take the tour',
    guide: 'Read the guide',
    keys: 'Keyboard shortcuts',
    keysIntro: 'They work while the map has the focus.',
    rows: [
      ['Space', 'Hold to move the map'],
      ['Drag', 'Select what is in a rectangle; with Shift, select it in addition'],
      ['F6', 'Next area: list, map, form (also elsewhere in the editor)'],
      ['Enter', 'Place a spot, a text or a corner, end a polygon or line, edit the selection, or the project'],
      ['F, K, A', 'Fill, click action, new popup of the selection'],
      ['Esc', 'Cancel, leave the tool, select nothing'],
      ['Arrows', 'Move the selection by 1, with Shift by 10; without a selection, move the map'],
      ['Arrows, drawing', 'Move the cursor by 10, with Shift by 1'],
      ['Digits, drawing', 'Type places: 60, 40, or 60, 40, 260, 240'],
      ['. and ,', 'Next, previous corner of the selected polygon; then Insert, Delete and arrows'],
      ['Ctrl, dragging', 'Do not snap'],
      ['Delete', 'Delete the selection'],
      ['Ctrl Z, Ctrl Shift Z', 'Undo, redo'],
      ['Ctrl C, Ctrl V, Ctrl D', 'Copy, paste, duplicate'],
      ['Ctrl A', 'Select all objects of the artboard'],
      ['[ and ]', 'Send backward, bring forward'],
      ['{ and }', 'Behind all, in front of all'],
      ['Ctrl Alt C, Ctrl Alt V', 'Copy look, paste look (also elsewhere in the editor)'],
      ['0, +, −', 'Show everything, zoom in, zoom out'],
      ['N', 'Show or hide the names of objects'],
      ['/', 'Search'],
      ['Home, End, Tab', 'First, last, next object; after Esc, Tab leaves the map'],
      ['Page Up, Page Down', 'Previous, next artboard'],
      ['?', 'This list'],
    ],
  },
  /** A value in a list of records. */
  rows: {
    title: (column: string): string => `“${column}”: of this row, or of all rows?`,
    thisRow: 'This row',
    byColumn: (column: string, value: string): string => `The row whose “${column}” is ${value}, in any order of the list.`,
    byPosition: (n: number): string =>
      `Row ${number.format(n)} of the list, whatever it contains then: no column identifies the row.`,
    allRows: 'All rows',
    each: (n: number): string => `One value per row, ${number.format(n)} now: an iterator, and a variable of its items.`,
    inside: (n: number): string => `The list is in row ${number.format(n)} of another list, and stays in that position.`,
  },
  /** Objects that follow a list. */
  followList: {
    title: (name: string): string => `Follow “${name}”`,
    action: 'Follow this list',
    follow: 'Follow this list',
    save: 'Save',
    match: 'Rows and objects',
    column: 'Column',
    is: 'is',
    ways: { key: 'the key of the object', name: 'its name', property: (name: string): string => `its property “${name}”` },
    on: 'on',
    allArtboards: 'all artboards',
    category: 'in',
    allCategories: 'all categories',
    matched: (n: number, of: number): string => `${number.format(n)} of ${texts.count(of, 'row has', 'rows have')} an object.`,
    rowsWithout: (n: number): string => `${texts.count(n, 'row has', 'rows have')} none.`,
    objectsWithout: (n: number): string => `${texts.count(n, 'object has', 'objects have')} no row.`,
    showRows: 'Rows without an object',
    row: 'Row',
    object: 'Object',
    noValue: 'no value',
    choose: 'Choose…',
    objectOf: (text: string): string => `Object of ${text}`,
    moreRows: (n: number): string => `And ${texts.count(n, 'other row', 'other rows')}.`,
    fixHint: (way: string): string => `The object that you choose gets the text of the row: ${way}.`,
    colour: 'Colour',
    colourBy: 'Colour by',
    noColour: 'As it is',
    colourKept: 'A rule of its own',
    by: (column: string): string => `by ${column}`,
    scale: 'Scale',
    scales: { range: 'between two numbers', steps: 'in steps', values: 'for each value' },
    becomesLegend: 'It becomes the legend of the map.',
    from: 'From',
    to: 'To',
    below: 'Lowest',
    stepFrom: (n: number): string => `Step ${n} from`,
    colourNumber: (n: number): string => `Colour ${n}`,
    colourOfValue: (value: string): string => `Colour of ${value}`,
    colourOfOthers: 'Colour of other values',
    others: 'Other values',
    addStep: 'Add a step',
    removeStep: (from: number): string => `Remove the step from ${from}`,
    removeValue: (value: string): string => `Remove ${value}`,
    until: (from: number, to: number | undefined): string =>
      to === undefined
        ? `${number.format(from)} and more`
        : Number.isFinite(from)
          ? `${number.format(from)} to ${number.format(to)}`
          : `below ${number.format(to)}`,
    text: 'Text on the object',
    addColumn: (name: string): string => `Add the column “${name}”`,
    noText: 'Objects show their names, if the map does. Columns stand in braces: {taken}/{seats}',
    textOfFirst: (text: string): string => `The object of the first row shows: ${text}`,
    noColumns: (names: readonly string[]): string => `There is no column ${names.map((name) => `“${name}”`).join(', ')}.`,
    showsNames: 'Names become visible on the map where they fit.',
    popup: 'Popup',
    popupTitle: 'Title',
    popupColumns: 'Columns in the popup',
    popupKept: 'The text of the popup was changed elsewhere, and stays.',
    popupHint: 'Objects without a popup get one.',
    none: 'None',
    otherwise: 'Objects without a row',
    otherwiseStay: 'stay as they are',
    otherwiseColour: 'get the colour',
    /** In the legend. */
    noData: 'No data',
    dropTitle: 'Drop the changes?',
    drop: 'Drop the changes',
    dropped: 'What you have changed in this panel is not saved yet.',
    otherwiseCount: (n: number): string =>
      `${texts.count(n, 'object', 'objects')} now: all of the artboards and the category above that no row names. Choose these, if other lists have objects, too.`,
    noList: 'The newest response has no such list: look at it below.',
    popupsOf: (name: string): string => `${name}: popups`,
    colourOf: (name: string): string => `${name}: colour`,
    cards: 'Lists that the map follows',
    change: 'Change…',
    changeOf: (name: string): string => `Change what follows ${name}`,
    end: 'Follow no more',
    endOf: (name: string): string => `Follow ${name} no more`,
    summary: {
      match: (column: string, way: string): string => `“${column}” is ${way}`,
      colour: (column: string): string => `colour by “${column}”`,
      text: (text: string): string => `text ${text}`,
      popup: 'popup',
      otherwise: 'a colour without a row',
    },
  },
  /** Data sources that fail. */
  health: {
    word: (goodAt: string | null): string => (goodAt === null ? 'no data' : `data from ${moment(goodAt)}`),
    /** The data source with the reason and its last good time. */
    sentence: ({ name, detail, since, body_at }: Failing): string =>
      `${name || texts.unnamed} fails since ${moment(since)}: ${detail} ${goodData(body_at)}`,
    depends: ({ name, body_at }: Failing): string => `It depends on ${name || texts.unnamed}, which fails. ${goodData(body_at)}`,
    count: (n: number): string => texts.count(n, 'source fails', 'sources fail'),
    notice: (n: number, goodAt: string | null, isWithoutData: boolean): string =>
      [
        n === 1 ? 'A data source fails' : `${number.format(n)} data sources fail`,
        [...(goodAt === null ? [] : [`data from ${moment(goodAt)}`]), ...(isWithoutData ? ['no data'] : [])].join(', '),
      ].join(': '),
    more: (n: number): string => `${texts.count(n, 'other one fails', 'other ones fail')}, too.`,
    failing: (detail: string): string => `Data source: ${detail}`,
    unusable:
      'The variables that read it find nothing in its answer, which may be an error in place of the data. Check the answer in its form.',
    published: (detail: string): string => `The public map asks it as it was published: ${detail}`,
    publishedHint: 'Publish again, so that the public map uses the data source as it is here.',
    since: (since: string): string => `It fails since ${moment(since)}.`,
    goodData,
  },
  /** Why the popup of an object is never shown. */
  hiddenPopup: {
    artboard:
      'Visitors do not see this popup: a click on the object shows another artboard. For the popup, choose “Nothing, or open the popup” under Click.',
    link: 'Visitors do not see this popup: a click on the object follows its link. For the popup, choose “Nothing, or open the popup” under Click.',
  },
  icons: {
    title: 'Choose an icon',
    search: 'Search, such as “coffee” or “Spielplatz”',
    none: 'No icon',
    failed: 'The icons could not be loaded. Close this and try again.',
  },
  places: {
    label: 'Places',
    hint: 'Pixels from the left and from the top: 60, 40. Several follow each other.',
    count: (n: number): string => `${n === 1 ? 'One place' : `${number.format(n)} places`}: Enter draws, Esc cancels.`,
  },
  versions: {
    title: texts.editor.history,
    intro:
      'The server keeps the state before the first change after a pause by itself. Keep a state with a name to be able to go back to it at any time.',
    introReadOnly: 'Former states of the project. The server keeps one before the first change after a pause.',
    nameToKeep: 'Name of the present state',
    keep: 'Keep this state',
    kept: (name: string): string => `Kept ${name === '' ? 'the present state' : `“${name}”`}.`,
    none: 'No state is kept yet. Keep the first one here, or change the project: the server keeps the state before.',
    noneReadOnly: 'No state of this project is kept yet.',
    retry: 'Try again',
    day: (moment: string): string => day.format(new Date(moment)),
    hour: (moment: string): string => hour.format(new Date(moment)),
    kindOf: (kind: string): string =>
      ({ named: 'Kept', automatic: 'Automatic', published: 'Published', 'before-restore': 'Before a restore' })[kind] ??
      spelt(kind.replaceAll('-', ' ')),
    /** What a version is called: its name, or what it is and when. */
    nameOf: ({ name, kind, created }: { readonly name: string; readonly kind: string; readonly created: string }): string =>
      name === ''
        ? `${lateTexts.versions.kindOf(kind)}, ${time.format(new Date(created))}`
        : lateTexts.versions.shownName({ name, kind }),
    /** The server names the state before a restore with a time in UTC. */
    shownName: ({ name, kind }: { readonly name: string; readonly kind: string }): string =>
      kind === 'before-restore' ? name.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z$/, (moment) => time.format(new Date(moment))) : name,
    by: (label: string): string => `by ${label}`,
    /** What a version has. */
    contents: (counts: Readonly<Record<'artboards' | 'objects' | 'popups' | 'files', number>>): string => {
      const { artboards, objects, popups, files } = counts;
      const parts = [
        ...(artboards > 0 ? [texts.count(artboards, 'artboard', 'artboards')] : []),
        ...(objects > 0 ? [texts.count(objects, 'object', 'objects')] : []),
        ...(popups > 0 ? [texts.count(popups, 'popup', 'popups')] : []),
        ...(files > 0 ? [texts.count(files, 'picture', 'pictures')] : []),
      ];
      return parts.length === 0 ? 'empty' : parts.join(', ');
    },
    /** What changed from the version before to this one. */
    since: ({ created, changed, deleted }: Readonly<Record<'created' | 'changed' | 'deleted', number>>): string => {
      const parts = [
        ...(created > 0 ? [`${number.format(created)} created`] : []),
        ...(changed > 0 ? [`${number.format(changed)} changed`] : []),
        ...(deleted > 0 ? [`${number.format(deleted)} deleted`] : []),
      ];
      return parts.length === 0 ? 'No changes' : parts.join(', ');
    },
    sinceBefore: (changes: string): string => `${changes} since the version before`,
    first: 'The first version',
    look: 'Look at',
    lookAt: (name: string): string => `Look at ${name}`,
    compare: 'Compare',
    compareWith: (name: string): string => `Compare ${name} with the project as it is`,
    restore: 'Restore',
    restoreTitle: (name: string): string => `Restore “${name}”?`,
    restoreText: (moment: string): string =>
      `The project goes back to its state of ${time.format(new Date(moment))}, for everybody who works on it. The present state becomes a version first, so you can return to it. What is published stays as it is.`,
    restored: (name: string): string => `Restored “${name}”. The state before is in the history.`,
    restoring: 'Restoring…',
    copy: 'Copy as a new project',
    copyName: (project: string, version: string): string => `${project} (${version})`.slice(0, 200),
    copied: (name: string): string => `Copied to the new project ${name}.`,
    openCopy: 'Open it',
    removeTitle: (name: string): string => `Delete “${name}”?`,
    removeText: 'The project stays as it is. The version cannot be brought back.',
    removed: (name: string): string => `Deleted “${name}”.`,
    back: 'Back to the history',
    readOnly: 'Read only',
    leave: 'Esc leads back.',
    looking: (moment: string): string =>
      `This is the project as it was on ${time.format(new Date(moment))}. Nothing can be changed here.`,
    comparing: (moment: string): string =>
      `This is the project as it is. Marked is what differs from ${time.format(new Date(moment))}.`,
    outdated: 'The project has changed meanwhile.',
    compareAgain: 'Compare again',
    view: 'What is shown',
    asItWas: 'As it was',
    compared: 'Compared with now',
    missing: 'This version does not exist. It may have been deleted.',
    changes: 'Changes',
    change: { created: 'Created', changed: 'Changed', deleted: 'Deleted' },
    filter: (change: 'created' | 'changed' | 'deleted', n: number): string =>
      `${number.format(n)} ${lateTexts.versions.change[change].toLowerCase()}`,
    same: 'Nothing differs: the project is as it was.',
    noneShown: 'No kind of change is chosen.',
    cut: (n: number): string => `Only the first ${number.format(n)} changes are listed and marked.`,
    member: 'Member',
    before: 'Before',
    now: 'Now',
    chooseChange: 'Choose a change on the map or in the list to see what differs.',
    createdText: 'It was created after this version.',
    deletedText: 'It was deleted after this version. The map shows it pale, where it was.',
    file: 'file',
    moved: (corners: number): string => `${texts.count(corners, 'corner', 'corners')}, moved`,
    empty: '(empty)',
  },
  conflicts: {
    title: 'Changed by you and by another user',
    intro: 'Both of you have changed the same. Choose for each what the map should have.',
    base: 'Before',
    mine: 'Yours',
    theirs: 'Theirs',
    keepMine: 'Use yours',
    takeTheirs: 'Use theirs',
    deleted: (name: string): string => `${name} was deleted by another user while you changed it.`,
    createAgain: 'Create it again with your changes',
  },
  signIn: {
    title: 'Sign in',
    how: 'Open your invitation in this browser, or paste its address here. It works once; then this browser stays signed in.',
    orKey: 'Invitation, or API key',
    submit: 'Sign in',
    keyStays: 'An API key stays in this tab: it is forgotten when you close it.',
    provider: (name: string): string => `Sign in with ${name}`,
    none: 'Without an invitation, ask an owner of the account for one.',
    ownServer: 'This server is on your machine',
    inTerminal: 'Run this command in a terminal. It prints an address that signs you in as the owner.',
    again: 'Sign in again',
    kept: 'Your last changes are not saved. They stay on this page until you have signed in, here or in another tab.',
    leave: 'Leave without saving',
  },
  people: {
    title: 'People',
    intro: (account: string): string =>
      `Everybody who may use the account “${account}”. An invitation is a link, which you send yourself.`,
    invite: 'Invite somebody',
    sendInvitation: 'Make an invitation',
    name: 'Name',
    role: 'Role',
    /** What each role may do: src/model/people/roles.ts. */
    roleTexts: {
      owner: 'Changes and publishes everything, and invites, changes and removes people.',
      editor: 'Changes and publishes maps. Cannot manage people.',
      viewer: 'Looks at maps, also those that are not published. Changes nothing.',
    } satisfies Record<Role, string>,
    color: 'Colour',
    email: 'E-mail (optional)',
    emailHint: 'mapwright sends no mail. The address matters for signing in with an identity provider.',
    projects: 'Projects',
    allProjects: 'All, also later ones',
    someProjects: 'Only these',
    ownerReaches: 'An owner reaches all projects.',
    chooseProject: 'Choose a project.',
    /** A project whose name others have, too. */
    oneOfEqual: (name: string, created: string): string => `${name}, created ${time.format(new Date(created))}`,
    save: 'Save',
    made: (name: string, expires: string): string =>
      `Send this address to ${name}. It signs one browser in, once, until ${time.format(new Date(expires))}. It is not shown again.`,
    address: (name: string): string => `Invitation of ${name}`,
    members: 'Members',
    you: 'you',
    reach: (projects: readonly string[] | undefined): string => (projects === undefined ? 'All projects' : projects.join(', ')),
    deletedProject: 'a deleted project',
    lastSeen: (moment: string | null): string => (moment === null ? 'Not seen yet' : `Last seen ${withinHour(moment)}`),
    invited: (until: string): string => `Invitation open until ${time.format(new Date(until))}`,
    signsInWith: (issuers: readonly string[]): string => `Signs in with ${issuers.join(', ')}`,
    change: 'Change…',
    changeOf: (name: string): string => `Change ${name}`,
    newLink: 'New invitation…',
    newLinkTitle: (name: string): string => `Make a new invitation for ${name}?`,
    newLinkText: 'A former invitation that was not used stops working. Devices that are signed in stay so.',
    makeLink: 'Make a new one',
    devices: 'Devices…',
    devicesOf: (name: string): string => `Devices of ${name}`,
    remove: 'Remove…',
    removeTitle: (name: string): string => `Remove ${name}?`,
    removeText: (name: string): string =>
      `${name} is signed out everywhere, and an open invitation ends. The name stays in the history of projects. API keys that ${name} knows stay valid: revoke them on the command line. This cannot be undone: to let ${name} in again, invite a new person.`,
    removeAction: 'Remove',
    removed: 'Removed',
    removedAt: (moment: string): string => `Removed ${time.format(new Date(moment))}`,
    erase: 'Erase…',
    eraseTitle: (name: string): string => `Erase ${name}?`,
    eraseText: (name: string): string =>
      `${name} is signed out everywhere. Name, e-mail address and colour are deleted: the history says “former user” instead. What ${name} has made stays. Backups that exist keep the name. This cannot be undone.`,
    eraseAction: 'Erase',
  },
  ownPanel: {
    title: 'You and your devices',
    about: 'You',
    aboutHint: 'Others see your name in the history of projects.',
    role: (role: Role): string => `${texts.account.roles[role]}: ${lateTexts.people.roleTexts[role]}`,
    saved: 'Saved.',
    devices: 'Your devices',
    current: 'this one',
    since: (created: string, lastUse: string | null, expires: string): string =>
      `Since ${time.format(new Date(created))}${lastUse === null ? '' : `, last used ${withinHour(lastUse)}`}. Without use, it ends ${time.format(new Date(expires))}.`,
    end: 'End',
    endOf: (device: string): string => `End the session on ${device}`,
    endTitle: (device: string): string => `End the session on ${device}?`,
    endText:
      'That browser is signed out without delay. What is not saved there stays on its pages, until somebody signs in there again.',
    endHereText: 'This browser is signed out without delay. What is not saved on this page is lost.',
    endOthers: 'End all others',
    endOthersTitle: 'End all other sessions?',
    endOthersText:
      'All your other browsers are signed out without delay. What is not saved there stays on their pages, until somebody signs in there again.',
    noDevices: 'Not signed in anywhere.',
    bind: (name: string): string => `Sign in with ${name} from now on`,
    bindHint: 'It leads to the provider and back. Afterwards you can sign in there instead of with an invitation.',
  },
  lessRights: {
    said: 'Your role was changed: you may only look from now on. What is not saved is still here, and cannot be saved: copy what you need.',
    leave: 'Discard it and look at the map',
  },
  devicePanel: {
    title: 'Another device',
    about:
      'Scan the code with your phone, or open the address in another browser. It signs that browser in as you: show it to nobody else.',
    until: (expires: string): string => `It works once, until ${hour.format(new Date(expires))}.`,
    again: 'Make a new one',
    codeLabel: 'QR code that signs another device in',
    address: 'Address for the other device',
  },
  share: {
    title: 'Share',
    intro: (project: string): string => `Invite somebody to “${project}” alone. All other projects stay hidden from them.`,
    role: 'They may',
    roles: { viewer: 'Look at it', editor: 'Change and publish it' },
    invite: 'Make an invitation',
    reached: 'Who sees this project',
    others: 'Already in the account',
    add: (name: string): string => `Add ${name} to this project`,
    addShort: 'Add',
    added: (name: string): string => `${name} sees this project now.`,
    known: (name: string, facts: string): string => `There is somebody with this name already: ${name} (${facts}).`,
    give: (name: string): string => `Let ${name} see it`,
    another: 'Somebody else: invite',
    isPublic: 'For a link that everybody can open, publish the map.',
  },
  viewer: {
    mapOf: (name: string): string => `Map of ${name}`,
    asking: 'This is the draft.',
    none: 'This is the draft. The map is not published.',
    same: (published: string): string => `Visitors see it like this, since ${time.format(new Date(published))}.`,
    changed: (published: string): string =>
      `This is the draft. It was changed since it was published on ${time.format(new Date(published))}.`,
    withoutData: 'Data change the published map; they are not shown here.',
    links: 'Links to other pages lead nowhere here.',
    inside: 'Look inside',
    insideHint: 'Objects, popups and data, read only',
  },
  table: {
    title: 'Table',
    filter: 'Filter objects',
    found: (shown: number, all: number): string => `${number.format(shown)} of ${texts.countOf('object', all)}`,
    isPrivate: 'private',
    newColumn: 'Name of a new column',
    addColumn: 'Add a column',
    hint: 'Enter and the arrows lead from row to row. Cells of a spreadsheet can be pasted: they fill rows and columns from the cell on.',
    name: 'Name',
    category: 'Category',
    show: 'On the map',
    showOne: (name: string): string => `Show ${name} on the map`,
    cell: (column: string, name: string): string => `${column} of ${name}`,
    pasted: (written: number, left: number): string =>
      `${texts.count(written, 'cell was', 'cells were')} pasted${left === 0 ? '.' : `; ${texts.count(left, 'cell', 'cells')} had no place in the table.`}`,
  },
  mapPreview: {
    title: 'Preview',
    size: { computer: 'Computer', phone: 'Phone' },
    about: 'The map as visitors will see it, with everything that is not published yet. Links lead nowhere here.',
  },
  mapSettings: {
    title: 'Map settings',
    intro: 'What visitors can filter, read and search. It is public after you publish.',
    page: {
      title: 'Page of the map',
      lang: 'Language of its texts',
      langHint: 'Such as en, de or pt-BR. Buttons and messages have the language of the visitor.',
      langProblem: 'Type the code of a language, such as en, de or pt-BR.',
      indexed: 'Search engines may list it',
      hasHeader: 'A header above the map',
      heading: 'Heading',
      headingHint: 'Without one, the name of the map.',
      logo: 'Logo',
      logoHint: 'Address of a picture: of a file of this project, or on the web.',
      accent: 'Accent colour',
      links: 'Links',
      linkLabel: (n: number): string => `Text of link ${n}`,
      linkAddress: (n: number): string => `Address of link ${n}`,
      addLink: 'Add a link',
      newLink: 'Imprint',
    },
    description: 'About the map',
    descriptionHint: 'Visitors read it above the list.',
    categories: 'Categories',
    noCategories: 'No category yet. Give objects one in their form, or add one here.',
    newCategory: 'Name of a new category',
    addCategory: 'Add a category',
    categoryLabel: (name: string): string => `Name for visitors of ${name}`,
    categoryColour: (name: string): string => `Colour of ${name}`,
    categoryIcon: (name: string): string => `Icon of ${name}`,
    objectsOf: (n: number): string => texts.count(n, 'object', 'objects'),
    hidden: (name: string): string => `Hide ${name} at first`,
    hiddenShort: 'Hidden at first',
    hiddenHere: '(hidden in this tab)',
    up: (name: string): string => `Move ${name} up`,
    down: (name: string): string => `Move ${name} down`,
    actions: (name: string): string => `More for ${name}`,
    selectAll: 'Select its objects',
    mergeInto: (name: string): string => `Merge into ${name}`,
    removeCategory: 'Delete the category',
    merged: (from: string, into: string): string => `${from} was merged into ${into}.`,
    removed: (name: string): string => `${name} was deleted. Its objects have no category now.`,
    fields: 'Fields',
    fieldsHint: 'Properties of objects that visitors see. All others stay private.',
    noFields: 'No object has a property yet. An import makes properties of columns; a form has them under Advanced.',
    addField: 'Make it public',
    privateProperties: 'Private properties',
    fieldLabel: (name: string): string => `Name for visitors of ${name}`,
    fieldKind: (name: string): string => `Kind of ${name}`,
    fieldKinds: {
      text: 'Text',
      number: 'Number',
      choice: 'Choice',
      'yes-no': 'Yes or no',
      date: 'Date',
      link: 'Link',
      mail: 'Mail address',
      telephone: 'Telephone number',
      picture: 'Picture',
    },
    fieldPlaces: { popup: 'Details', list: 'List', search: 'Search', filter: 'Filter' },
    removeField: (name: string): string => `Make ${name} private`,
    start: 'First view',
    startHere: 'Start here',
    startHint: 'Visitors begin with what the map of the editor shows now.',
    startSet: (artboard: string): string => `Visitors begin at a part of ${artboard}.`,
    startNone: 'Visitors begin with all objects of the first artboard.',
    removeStart: 'Begin with all objects',
    limits: 'How far the map can be moved',
    limitHere: 'Only within this view',
    limitsHint: 'Visitors can move a map on Earth only within what the map of the editor shows now.',
    limitsSet: (bounds: Readonly<Record<string, unknown>>): string =>
      `Only from ${bounds['south']} to ${bounds['north']} north, and from ${bounds['west']} to ${bounds['east']} east.`,
    limitsNone: 'Visitors can move it over all of the Earth.',
    noLimits: 'Show a map on Earth, and less than all of it.',
    removeLimits: 'Remove the limits',
    stale: 'Old data',
    staleMinutes: 'Minutes without fresh data until the map shows none',
    staleHint: 'Visitors see how old the data are. After this time they see the map as published. Empty: the last data stay.',
    staleProblem: (most: number): string => `Type 1 to ${most} minutes, or nothing.`,
    onTheMap: 'On the map',
    labels: 'Names of objects',
    labelModes: { none: 'Only under the pointer', auto: 'Where there is room', all: 'All of them' },
    legend: 'Legend',
    legendColour: (n: number): string => `Colour ${n} of the legend`,
    legendName: (n: number): string => `Meaning of colour ${n}`,
    legendPalette: (n: number): string => `Colours of the project, for colour ${n} of the legend`,
    addToLegend: 'Add a colour to the legend',
  },
  localAddress: (host: string, reach: 'own' | 'near'): string =>
    `${
      reach === 'own'
        ? `Others cannot open this address: ${host} is the machine of the server itself.`
        : `Others can open this address only in your network: ${host} is a private address.`
    } Start the server with --public-url and the address at which others reach it.`,
  publish: {
    title: 'Publish',
    intro:
      'Publishing makes a copy of this map public: everybody who has its link can see it. Later changes stay private until you publish again.',
    deadLinks: (n: number): string => `${texts.count(n, 'link leads', 'links lead')} nowhere.`,
    showProblems: 'Show in Problems',
    tiles: {
      before: 'This map shows tiles of openstreetmap.org. For public maps,',
      policy: 'its policy asks for another source',
      between: 'The operator of this server can get a key of',
      or: 'or',
      after: ', and name their tiles with --tiles.',
    },
    publish: 'Publish',
    again: 'Publish the changes',
    upToDate: 'The public copy is up to date. Visitors see it after a reload, behind a CDN up to 10 seconds later.',
    stale: 'You have changed the map since.',
    published: (moment: string, version: number): string =>
      `Version ${number.format(version)}, published ${time.format(new Date(moment))}`,
    uses: 'How visitors get it',
    use: { link: 'Link', embed: 'Embed', files: 'Files', qr: 'QR code' },
    linkAbout: 'A page with nothing but the map. Everybody who has the link can open it.',
    snippet: 'On your own page',
    snippetAbout:
      'Paste these two lines where the map belongs. It is as wide as its place and 30rem high, until your style sheet says otherwise.',
    extras: 'Besides the map',
    extra: {
      list: 'List of places',
      search: 'Search',
      menu: 'Menu: share, print, save as picture',
      permalink: 'What a visitor sees is in the address of the page',
    },
    qr: {
      about: 'For signs, posters and leaflets: a phone that scans the code opens the public map.',
      opens: 'What the code opens',
      choice: { map: 'The whole map', place: 'One place' },
      place: 'Place',
      byName: 'The code contains the name of the place. If you rename the place, print a new code.',
      byIdentifier: 'The code contains the identifier of the place, so it stays valid if you rename the place.',
      unpublished: (name: string): string => `“${name}” is not in the public map yet. Publish the changes to get its code.`,
      unknown: 'The public map has no such place. Places that you have added are here after you publish them.',
      label: (name: string): string => `QR code of ${name}`,
      size: (mm: number): string =>
        `The file prints ${number.format(mm)} mm wide, and is sharp in any size. Keep the white edge: scanners need it.`,
      save: 'Save as SVG',
      address: 'Address in the code',
    },
    /** The picture that chats show with a link. */
    picture: {
      alt: 'The first view of the map',
      drawing: 'The picture for chats is being drawn…',
      failed: (reason: string): string => `The picture for chats could not be drawn: ${reason}`,
      none: 'Chats show the link without a picture.',
      noAddress: 'Chats show this picture once the server knows its public address: start it with --public-url.',
      shown: 'Chats show this picture with the link.',
      draw: 'Draw a picture',
      again: 'Draw it again',
    },
    frame: 'In a frame',
    frameAbout:
      'For pages that take no scripts, such as many content management systems. Name the pages that may show it, * for all, and publish.',
    command: 'Command',
    filesAbout: 'The map as a folder of files, for any web server: in the folder of this server, run',
    filesShow: 'Copy the folder to your web server. Its index.html is a page with the map. Other pages show it with',
    filesStill: 'The files are a still map: data needs this server.',
    readable: 'Readable address',
    readableHint:
      'The end of the link, such as lindenhof in place of random characters: 3 to 26 of a to z, 0 to 9 and -. Empty for none.',
    readableChanged: (name: string): string =>
      `The address ending with ${name} will lead nowhere after publishing: links and QR codes with it stop working. Other accounts cannot take it for a year.`,
    open: 'Open the public page',
    unpublish: 'Unpublish',
    unpublishTitle: 'Unpublish this map?',
    unpublishText:
      'The link and all pages with this map stop working. Browsers that have the map may show it for up to an hour. The link does not come back: publishing again gives a new one.',
    origins: 'Pages that may show it in a frame',
    originsHint: 'One origin per line, such as https://www.example.com. * allows every page.',
    refresh: 'Seconds between two updates of the public map',
    refreshHint: (least: number, most: number): string =>
      `0: the map is still. Otherwise ${least} to ${number.format(most)}: the server evaluates data sources, variables and actions while visitors look at the map.`,
    suitable: (seconds: number): string =>
      `The newest answers of the data sources may be used for ${number.format(seconds)} seconds.`,
    usual: (seconds: number): string =>
      `No data source asks for a shorter time: by default, visitors get new data every ${number.format(seconds)} seconds.`,
    useSuitable: 'Use that',
    still: 'Visitors see the map as it is, without data, until you publish again.',
    visitorsSee: (seconds: number): string =>
      `Visitors see data that is at most ${spanOf(seconds)} old; if a data source fails, the map says since when.`,
    hosts: (hosts: readonly string[]): string => `While the map is watched, the server asks ${hosts.join(', ')}.`,
    sources: 'Data of the public map',
    pushed: 'gets its responses from clients',
    noAnswer: 'No response yet: the server asks when the map has a viewer.',
    answered: (moment: string): string => `Newest response ${time.format(new Date(moment))}`,
    asPublished:
      'The public map uses these data sources as they were published. One that you change or delete is asked in its published form until you publish again, so a revoked secret stays in use until then.',
    whatIsPublic:
      'Public are the artboards with their pictures, the objects and their popups, and what Map settings chooses: text, categories, fields, names, legend, first view and limits. Not public, because they may hold secrets, are data sources, variables, actions, keys of objects, properties without a field, and all other settings.',
    size: (kilobytes: number): string => `${number.format(kilobytes)} kB`,
    visits: {
      title: 'Visits',
      span: 'Days that are counted',
      days: (n: number): string => `Last ${number.format(n)} days`,
      sum: (opened: number, searches: number): string =>
        `The map was opened ${texts.count(opened, 'time', 'times')}; ${texts.count(searches, 'search', 'searches')} found nothing.`,
      none: 'No visits on these days.',
      notCounted: 'This server does not count visits: its operator has set --no-counts.',
      chart: (days: number): string =>
        `Openings of the map on the last ${texts.count(days, 'day', 'days')}; the same numbers follow as a table.`,
      day: (day: string, opened: number): string => `${day}: ${number.format(opened)}`,
      most: (n: number): string => `at most ${number.format(n)} a day`,
      asTable: 'As a table',
      save: 'Save as CSV',
      date: 'Day (UTC)',
      opened: 'Map opened',
      places: 'Places opened',
      searches: 'Searches without result',
      mostOpened: 'Most opened places',
      unknown: 'Without a name, or not in the public map any more',
      about:
        'Nothing of visitors is stored, so no consent banner is needed. Counts are kept for 400 days, until the map is unpublished.',
    },
  },
  arrange: {
    title: 'Arrange',
    align: 'Align',
    alignments: {
      left: 'Align left edges',
      centre: 'Align centres horizontally',
      right: 'Align right edges',
      top: 'Align top edges',
      middle: 'Align centres vertically',
      bottom: 'Align bottom edges',
    } satisfies Record<Alignment, string>,
    sizeAndOrder: 'Size and order',
    spreadX: 'Equal gaps from left to right',
    spreadY: 'Equal gaps from top to bottom',
    sameSize: 'Same size as the first selected one',
    front: 'In front of all ( } )',
    back: 'Behind all ( { )',
    turn: 'Turn by (degrees)',
    scale: 'Scale to (percent)',
    apply: 'Apply',
    use: (label: string): string => `${label}: apply`,
    straighten: 'Straighten to right angles',
    join: 'Join',
    moveTo: 'Move to another artboard',
    chooseArtboard: 'Choose…',
    copyLook: 'Copy look',
    pasteLook: 'Paste look',
    fillHoles: 'Remove holes',
    notStraight: 'There is no such shape with right angles.',
    notJoined: 'They cannot be joined: they do not touch along an edge, or would have a hole.',
    noSize: 'The first selected one has no width or no height: the others keep their size.',
    range: (least: number, most: number): string => `Use ${number.format(least)} to ${number.format(most)}.`,
  },
  naming: {
    whole: 'Use a whole number of up to 15 digits, such as 1.',
    hint: '{n} is the number; {nn} has at least two digits. Or names with commas or lines between them, in the order below.',
    count: (names: number, objects: number): string =>
      `${texts.count(names, 'name', 'names')} for ${texts.countOf('object', objects)}.${names < objects ? ' The others keep theirs.' : ''}`,
  },
  replace: {
    title: 'Replace the picture',
    choice: 'What happens to the objects',
    choices,
    choiceHints,
    sizes: (former: Size, next: Size): string => `Before: ${sizeOf(former)}. Now: ${sizeOf(next)}.`,
    sameRatio: 'Both have the same ratio of width to height.',
    otherRatio: (former: Size, next: Size): string =>
      `The ratio of width to height changes from ${ratioOf(former)} to ${ratioOf(next)}: scaled objects take ${percent(next.width / former.width)} of their width and ${percent(next.height / former.height)} of their height. If the new picture shows another part, align it.`,
    align: (n: number): string =>
      `Show the place of point ${n} on both plans: click or tap it, drag the point, or use the arrow keys (Shift: one pixel).`,
    pointOf: (n: number, side: keyof typeof sides, x: number, y: number): string =>
      `Point ${n} on the ${sides[side]}: ${number.format(x)}, ${number.format(y)}`,
    sides: { former: 'Former plan', next: 'New plan' },
    zoom: (times: number): string => `${times}×`,
    zoomLabel: 'Enlarge the plans',
    onOneLine: (side: keyof typeof sides): string =>
      `The three points on the ${sides[side]} are on one line. Move one of them away from it.`,
    mirrored: 'This turns left into right. Check that each point is at the same place on both plans.',
    preview: 'Preview',
    previewLabel: 'Both plans half transparent, and the objects where they will be',
    outside: (n: number): string => `${texts.countOf('object', n)} will be outside of the new picture.`,
    replace: 'Replace',
    replaced: 'The picture is replaced. One undo takes it back, with the objects.',
  },
} as const;
