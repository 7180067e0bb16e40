/**
 * Texts of the console, in whole sentences with parameters. Those of members are declared with them (`src/model/form.ts`), and are in
 * `generated/forms.ts`. A translation replaces these files and `late-texts.ts`.
 */

import type { AddressUse } from '../../lib/draw/link-rules.ts';
import { contentBounds } from '../../lib/html/popup-content.ts';
import type { Operator } from '../../live/evaluate/values/comparison.ts';
import type { ContentBound } from '../viewer/element/content-bounds.ts';
import type { Role } from './controls.ts';
import type { Kind, MemberKind } from './kinds/resource-kinds.ts';
import type { Truth } from './kinds/truth.ts';
import type { Direction } from './shapes/naming.ts';

export const number = new Intl.NumberFormat('en');

interface PixelSize {
  readonly width: number;
  readonly height: number;
}

const pixels = ({ width, height }: PixelSize): string => `${number.format(width)} × ${number.format(height)}`;
const count = (n: number, one: string, many: string): string => `${number.format(n)} ${n === 1 ? one : many}`;
/** 1,500,000: `1.5 MB`. */
const sizeOf = (bytes: number): string =>
  bytes < 1e6 ? `${number.format(Math.ceil(bytes / 1000))} kB` : `${number.format(Math.round(bytes / 1e5) / 10)} MB`;
/** Times have 24 hours everywhere. */
const hourCycle = 'h23';
export const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle });
export const hour = new Intl.DateTimeFormat('en', { timeStyle: 'short', hourCycle });
const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle });

/** How a kind is called in sentences and headings. */
const kinds: Readonly<Record<Kind, { readonly one: string; readonly many: string; readonly heading: string }>> = {
  project: { one: 'project', many: 'projects', heading: 'Project' },
  artboard: { one: 'artboard', many: 'artboards', heading: 'Artboards' },
  object: { one: 'object', many: 'objects', heading: 'Objects' },
  popup: { one: 'popup', many: 'popups', heading: 'Popups' },
  data_source: { one: 'data source', many: 'data sources', heading: 'Data' },
  variable: { one: 'variable', many: 'variables', heading: 'Variables' },
  action: { one: 'action', many: 'actions', heading: 'Actions' },
};

const empty: Readonly<Record<MemberKind, string>> = {
  artboard: 'Add an artboard, or drop a picture of a floor plan onto the map.',
  object: 'Choose a tool on the map: spots (S), polygons (P), rectangles (R), lines (L), texts (T). Or import a file of places.',
  popup: 'Select an object on the map and add a popup to it. Visitors see it when they click the object.',
  data_source: 'A data source is an address that answers with JSON, such as the state of your rooms.',
  variable: 'A variable is a value from a data source, or one that you compute.',
  action: 'An action changes or creates objects when its conditions hold.',
};

/** Why a popup does not show all of its content. */
const contentBoundTexts: Readonly<Record<ContentBound, string>> = {
  characters: `it is longer than ${number.format(contentBounds.characters)} characters`,
  elements: `it has more than ${number.format(contentBounds.elements)} elements`,
  depth: `more than ${contentBounds.depth} elements are within each other, or elements are not closed`,
  tables: `more than ${contentBounds.tables} tables are within each other`,
  attributes: `it has more than ${number.format(contentBounds.attributes)} attributes`,
  implied: 'too many elements are not closed in the order in which they were opened',
};

/** `osm_zoom`, `maxWidth`, `object_id`: `Osm zoom`, `Max width`, `Object`. */
export function spelt(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/ id$/, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value of JSON in a sentence. */
function shortValue(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const states = {
  saved: 'Saved',
  saving: 'Saving…',
  waiting: 'Not saved yet. Trying again.',
  stopped: 'Not saved.',
  refused: 'Not saved: see the marked field.',
  conflict: 'Needs your decision',
};

export const texts = {
  name: 'mapwright',
  count,
  kinds,
  empty,
  countOf: (kind: Kind, n: number): string => count(n, kinds[kind].one, kinds[kind].many),
  timeOf: (moment: string): string => time.format(new Date(moment)),
  loading: 'Loading…',
  cancel: 'Cancel',
  close: 'Close',
  unnamed: '(no name)',
  remove: 'Delete',
  rename: 'Rename',
  copy: 'Copy',
  copied: 'Copied',
  more: 'Show more',
  /** Label of the menu of a thing. */
  moreFor: (name: string): string => `More for ${name}`,
  noMatch: (query: string): string => `Nothing matches “${query}”.`,
  signIn: {
    ended: 'Your session has ended.',
    /** After whose link it is, and who is signed in. */
    other: 'Sign in as the other person instead?',
    usedLink:
      'This invitation does not work: it was used before, was replaced by a newer one, or is too old. If you are signed in on another device, choose “Another device” there; else ask an owner of the account for a new one.',
    noKey: 'This is neither an address with an invitation nor an API key. A key looks like mw_…',
    otherAccount: (account: string): string =>
      `This cannot save your changes: sign in to the account “${account}”, with the same rights as before.`,
    noServer: 'The server does not answer. Check that it is running, and reload this page.',
    notMapwright: 'The answer did not come from mapwright. Check the proxy in front of the server.',
    signedOut: 'You are signed out.',
  },
  account: {
    /** @param who a person, or the label of an API key */
    menu: (who: string): string => `Account menu of ${who}`,
    of: (account: string): string => `Account ${account}`,
    key: (label: string): string => (label === '' ? 'API key' : `API key “${label}”`),
    roles: { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' } satisfies Record<Role, string>,
    readOnly: 'Read only',
    readOnlyHint: 'This key may look at everything and change nothing.',
    until: (expires: string): string => `until ${time.format(new Date(expires))}`,
    otherDevice: 'Another device…',
    devices: 'You and your devices…',
    people: 'People…',
    guide: 'Guide',
    signOut: 'Sign out',
  },
  editor: {
    back: 'All projects',
    backTo: (name: string): string => `Back to ${name}`,
    undo: 'Undo',
    redo: 'Redo',
    publish: 'Publish',
    share: 'Share',
    toMap: 'As visitors see it',
    mapSettings: 'Map settings',
    help: 'Help',
    history: 'History',
    search: (kind: Kind): string => `Search ${kinds[kind].many}`,
    add: (kind: Kind): string =>
      `Add ${kinds[kind].one === 'object' || /^[aeiou]/.test(kinds[kind].one) ? 'an' : 'a'} ${kinds[kind].one}`,
    artboards: 'Artboards',
    problems: 'Problems',
    noProblems:
      'Nothing to repair: references and links within the map lead somewhere, objects are on their artboards, and the evaluation can use all values.',
    outside: 'It is outside of its artboard: visitors do not see it.',
    negative: (radius: number): string => `Its radius is ${number.format(radius)}: the map does not show it.`,
    problemsMore: 'There are more. Solve these first.',
    list: 'List',
    table: 'Table of all objects',
    hiddenHere: (names: readonly string[]): string => `Hidden in this tab: ${names.join(', ')}.`,
    showHidden: 'Show all',
    hideCategory: (name: string): string => `Hide ${name} in this tab`,
    showCategory: (name: string): string => `Show ${name} in this tab`,
    giveCategory: (name: string): string => `Category: ${name}`,
    map: 'Map',
    form: 'Form',
    nothingSelected: 'Select something on the map or in the list to edit it here.',
    nothingSelectedReadOnly: 'Select something on the map or in the list to see it here.',
    severalSelected: (n: number): string => `${count(n, 'object', 'objects')} selected`,
    severalHint: 'A field here changes all of them. Arrow keys move them, Delete removes them.',
    gone: 'This project was deleted.',
    goneText: 'Another user has deleted it. Its changes cannot be saved any more.',
    missing: 'This project does not exist, or you may not see it.',
    toCards: 'Back to the projects',
    noArtboard: 'This project has no artboard yet',
    noArtboardText: 'Drop a picture of a floor plan here, or add an artboard with a colour or a map as its background.',
    remove: (name: string): string => `Delete ${name}`,
    duplicate: 'Duplicate',
    addPopup: 'Add a popup',
    addPicture: 'Add an artboard from a picture',
    popups: 'Popups of this object',
    tools: 'Tools',
    names: 'Names of objects (N)',
    zoomIn: 'Zoom in (+)',
    zoomOut: 'Zoom out (−)',
    fit: 'Show the whole artboard (0)',
    mapLabel: (artboard: string): string => `Map of ${artboard}. Press ? for keyboard shortcuts.`,
    pictureProblem: 'The picture of this artboard cannot be loaded.',
    tilesProblem: 'The map tiles cannot be loaded.',
    pictureTooLarge: 'This picture cannot be made small enough. Use one with fewer details.',
    pictureUnreadable: (name: string): string => `${name} is not a picture that this browser can read.`,
    newSpot: 'Untitled Object',
    deletedArtboard: (name: string, n: number): string =>
      `Deleted ${name}${n === 0 ? '' : ` with ${count(n, 'object', 'objects')}`}.`,
    bringBack: 'Bring it back',
    deletedSome: (n: number): string => `Deleted ${count(n, 'object', 'objects')}.`,
    foreign: (kind: string, name: string): string => `Another user changed the ${kind} ${name}.`,
    foreignDeleted: (kind: string, name: string): string => `Another user deleted the ${kind} ${name}.`,
    copied: (n: number): string => `Copied ${count(n, 'object', 'objects')}.`,
    unsaved: 'Not saved yet.',
    raise: 'Bring forward ( ] )',
    lower: 'Send backward ( [ )',
    moveUp: 'Move up in the list',
    moveDown: 'Move down in the list',
  },
  tools: {
    place: (x: number, y: number): string => `${x}, ${y}`,
    corner: (n: number): string => `Corner ${n}`,
    threeCorners: 'A polygon needs three corners.',
    twoCorners: 'A line needs two corners.',
    flat: 'Nothing is drawn: all corners are on one line.',
    firstPoint: 'The first point is set.',
    tooSmall: 'Both points are the same.',
    nothingSplit: 'Nothing is split: draw the line across a polygon, and not through a hole.',
    /** @param hole 0 for the outline */
    cornerAt: (n: number, of: number, x: number, y: number, hole: number): string =>
      `Corner ${n} of ${of}${hole === 0 ? '' : ` of hole ${hole}`}: ${x}, ${y}`,
    holes: {
      noPolygon: 'Select the polygon that gets the hole, or begin in it.',
      refusals: {
        outside: 'The hole must be within the selected polygon.',
        overlaps: 'The hole overlaps another one.',
        many: 'A polygon has 100 holes at most.',
      },
      cut: 'The hole is cut.',
      removed: 'The hole is removed.',
    },
    text: { label: 'Text', hint: 'Enter writes it, Esc cancels.' },
    /** While corners are drawn. */
    drawingHint: { mouse: 'Enter or a double click ends it.', touch: 'A double tap or Done ends it.' },
    withoutSnapping: 'With Ctrl, nothing snaps.',
    buttons: { done: 'Done', cancel: 'Cancel', insert: 'Insert corner', back: 'Delete corner' },
    /** What a tool does, and what to do with it, for a mouse and for fingers. */
    each: {
      select: { title: 'Select and move', mouse: '', touch: '' },
      spot: {
        title: 'Add spots',
        mouse: 'Click where the spot belongs. Arrow keys and Enter place it, too. Esc ends.',
        touch: 'Tap where the spot belongs. Two fingers move the map.',
      },
      text: {
        title: 'Write a text',
        mouse: 'Click where the text belongs, and type it. Esc ends.',
        touch: 'Tap where the text belongs, and type it. Two fingers move the map.',
      },
      line: {
        title: 'Draw a line',
        mouse: 'Click to add corners. Enter or a double click ends the line, Esc cancels.',
        touch: 'Tap to add corners. A double tap or Done ends the line.',
      },
      poly: {
        title: 'Draw a polygon',
        mouse: 'Click to add corners. Enter or a double click ends the polygon, Esc cancels.',
        touch: 'Tap to add corners. A double tap or Done ends the polygon.',
      },
      rectangle: {
        title: 'Draw a rectangle',
        mouse: 'Drag from corner to corner, or click both. Shift draws a square.',
        touch: 'Drag from corner to corner, or tap both.',
      },
      circle: {
        title: 'Draw a circle',
        mouse: 'Drag from the centre to the edge, or click both.',
        touch: 'Drag from the centre to the edge, or tap both.',
      },
      hole: {
        title: 'Cut a hole',
        mouse: 'Click the corners of a hole in the selected polygon. Enter or a double click ends it.',
        touch: 'Tap the corners of a hole in the selected polygon. A double tap or Done ends it.',
      },
      split: {
        title: 'Split polygons',
        mouse: 'Draw a line across a polygon: drag, or click both ends.',
        touch: 'Draw a line across a polygon: drag, or tap both ends.',
      },
    },
    cornerHint: {
      mouse: 'Arrow keys move this corner by 1, with Shift by 10. Delete removes it; a hole ends with its third corner.',
      touch: 'Drag this corner, or:',
    },
    titleAndKey: (title: string, key: string): string => `${title} (${key.toUpperCase()})`,
  },
  copies: {
    nothing: 'There is nothing to paste: copy objects first.',
    damaged: 'These objects cannot be pasted: they are damaged.',
    lost: (n: number): string => `The artboard that a click on ${count(n, 'object', 'objects')} shows is not in this project.`,
    nameOf: (name: string): string => `${name} (copy)`,
    copy: 'Copy the selected objects',
    paste: 'Paste objects',
  },
  arrange: {
    lookCopied: 'Copied the look. Select other objects and paste it.',
    noLook: 'No look is copied yet.',
    colours: (label: string): string => `${label}: colours of the project`,
  },
  several: {
    values: 'several',
    select: 'Select, copy, paste',
    alike: {
      category: 'All of this category',
      colour: 'All with this fill',
      shape: 'All with this shape',
      unnamed: 'All without a name',
      all: 'All objects of the artboard',
    },
    noneAlike: 'No object of this artboard is like that.',
    adding: 'Select several: each click adds',
    naming: 'Names',
    pattern: 'Pattern, or a list of names',
    patternExample: 'Room {n}',
    namesLike: (example: string): string => `${example}, …`,
    start: 'First number',
    direction: 'Order',
    directions: {
      rows: 'Rows, from left to right',
      columns: 'Columns, from top to bottom',
      list: 'As in the list',
    } satisfies Record<Direction, string>,
    nameAll: 'Name all',
  },
  /** The groups of blend modes. */
  choiceGroups: {
    title: 'Blend modes',
    common: 'Common',
    light: 'Lighter and darker',
    contrast: 'Contrast',
    other: 'Colours and others',
  },
  /** What a value cannot be. */
  doubts: {
    colour: (text: string): string =>
      `“${text}” is no colour: the map shows its default. Use #3b82f6, rgb(), hsl() or a name such as red.`,
    range: (least?: number, most?: number): string =>
      least === undefined || most === undefined
        ? `The map cannot show this: use ${least === undefined ? `${most} at most` : `${least} or more`}.`
        : `The map cannot show this: use ${least} to ${most}.`,
    address: (use: AddressUse, rule: string): string =>
      `The map does not ${use === 'link' ? 'follow' : 'load'} this address: use ${rule}.`,
    place: 'The map has no artboard or object of this name: the link leads nowhere.',
    neither: (text: string): string => `“${text}” is neither an address nor an artboard or object of this map.`,
    target: 'Nothing is chosen: a click does nothing, or opens the popup if there is one.',
    source: 'The server cannot request this address: it must begin with https:// or http://.',
    corners: (n: number): string =>
      `A polygon needs three corners; this one has ${number.format(n)}. The map does not show it as an area.`,
  },
  forms: {
    none: 'None',
    usualTiles: 'As the server says',
    unknownTiles: (name: string): string => `${name} (this server does not list it)`,
    missing: (id: string): string => `Missing: ${id}`,
    addRow: 'Add a row',
    addColour: 'Add a colour',
    addCorner: 'Add a corner',
    removeRow: (n: number): string => `Remove row ${n}`,
    rowName: (n: number): string => `Name in row ${n}`,
    rowValue: (n: number): string => `Value in row ${n}`,
    colour: (n: number): string => `Colour ${n}`,
    cornerX: (n: number): string => `x of corner ${n}`,
    cornerY: (n: number): string => `y of corner ${n}`,
    cornersMore: (n: number): string => `${count(n, 'more corner', 'more corners')}: move them on the map.`,
    picker: (label: string): string => `${label}: choose a colour`,
    notJson: 'This is not JSON yet. Check quotation marks, commas and brackets.',
    notNumber: 'This is not a number.',
    embedded: (kilobytes: number): string => `A picture in the project itself (${number.format(kilobytes)} kB)`,
    replace: 'Choose a picture',
    fromLibrary: 'From the library…',
    chooseIcon: 'Choose an icon',
    nameHint: 'Such as “Reception”',
    categoryHint: 'Choose one, or type a new one',
    advanced: 'Advanced',
    propertyName: 'Name of a new property',
    addProperty: 'Add a property',
    removeProperty: (name: string): string => `Remove ${name}`,
    changedMeanwhile: 'Changed by another user meanwhile.',
    searchTarget: 'Type to search',
    linkTarget: 'Address, or name of an artboard or object',
    useAddress: (address: string): string => `Use ${address}`,
    equalName: (name: string, artboard: string, colour: string, n: number): string =>
      `${name} (${[artboard, colour, `no. ${number.format(n)}`].filter((part) => part !== '').join(', ')})`,
    jsonOf: (label: string): string => `${label} as JSON`,
    unknownJson: 'The form does not know all of this value. Edit it as JSON.',
    contentCut: (bound: ContentBound): string => `A popup shows only the beginning of this: ${contentBoundTexts[bound]}.`,
  },
  live: {
    response: 'Response',
    responseOf: (source: string): string => `Response of ${source}`,
    wholeResponse: 'The whole response',
    wholeItem: 'The whole item',
    rootOfResponse: 'Response',
    rootOfItem: 'Item',
    tryIt: 'Try',
    tryUnsaved: 'Some fields are not saved: the server asks with the values that it has.',
    showNewest: 'Show the newest response',
    asking: 'Waiting for the data source…',
    noResponse: 'There is no response yet, or this page has not read it.',
    noPush: 'A program can send responses to this data source, or you can enter one below.',
    pushed: 'Sent by a client',
    noStatus: 'No answer',
    status: (status: number): string => `Status ${status}`,
    ms: (ms: number): string => `${number.format(Math.round(ms))} ms`,
    bytes: (bytes: number): string =>
      bytes < 1000 ? count(bytes, 'byte', 'bytes') : `${number.format(Math.round(bytes / 100) / 10)} kB`,
    clock: (moment: string): string => clock.format(new Date(moment)),
    treeHint: 'Click a value, or press Enter on it, to make a variable of it; on a list, to make an iterator.',
    makeVariable: 'Make a variable',
    makeIterator: 'Make an iterator',
    choose: 'Choose',
    items: (n: number): string => count(n, 'item', 'items'),
    members: (n: number): string => count(n, 'member', 'members'),
    push: 'A response by hand (JSON)',
    pushHint: 'The server uses it until the next response. It is not stored: a restart of the server forgets it.',
    pushIt: 'Use this response',
    notJson: (reason: string): string => `This is not JSON yet: ${reason}. Check quotation marks, commas and brackets.`,
    pathNowhere: 'This path leads nowhere: a step of it is missing.',
    choosePath: 'Choose in the response',
    closeTree: 'Close the response',
    noSource: 'Choose a data source first.',
    noIterator: 'Choose an iterator first.',
    noItem: 'The iterator has no item now.',
    itemOf: (iterator: string): string => `First item of ${iterator || '(no name)'}`,
    openSource: (name: string): string => `Open ${name}`,
    filters: 'Filters',
    filtersHint: 'Only items that pass all filters are read:',
    addFilter: 'Add a filter',
    filterKey: (n: number): string => `Key of filter ${n}`,
    filterOperator: (n: number): string => `Operator of filter ${n}`,
    filterValue: (n: number): string => `Value of filter ${n}`,
    presentValue: 'Value now',
    noValue: 'no value',
    evaluating: '…',
    evaluationFailed: (reason: string): string => `The values may be old: ${reason}`,
    result: (text: string): string => `= ${text}`,
    names: (label: string): string => `Variables for ${label}`,
    gradient: (colours: readonly string[]): string => `Colours from ${colours[0]} to ${colours.at(-1)}`,
    /** @param label of the member; '' for the resource as a whole */
    problem: (kind: Kind, label: string, detail: string): string =>
      `${kinds[kind].one}${label === '' ? '' : `, ${label.toLowerCase()}`}: ${detail}`,
  },
  liveMap: {
    live: 'Live',
    switchHint: 'Show the map as its data make it',
    simulate: 'Simulate data',
    simulateHint: 'Sends invented responses for the data sources of this example every few seconds',
    evaluating: 'Evaluating…',
    evaluationFailed: (reason: string): string => `The server could not evaluate the project: ${reason}`,
    effects: (changed: number, created: number): string => `${number.format(changed)} changed, ${number.format(created)} created`,
    problems: (n: number): string => count(n, 'problem', 'problems'),
    changed: 'Changed by data',
    created: 'Created by data',
    changedHint: 'This is how an action shows it now. It can be edited while Live is off.',
    createdHint: 'An action makes it from data. It is not stored, and is gone while Live is off.',
    byActions: (n: number): string => (n === 1 ? 'The action that does this' : 'The actions that do this'),
    stored: (value: string): string => `(stored: ${value === '' ? 'empty' : value})`,
    corners: (n: number): string => count(n, 'corner', 'corners'),
    yes: 'Yes',
    no: 'No',
    turnOff: 'Turn Live off',
    turnOffToEdit: 'Turn Live off to edit it',
    locked: 'Actions make this from data. Turn Live off to edit it.',
  },
  actions: {
    modes: { 'current-value': 'Keep', custom: 'Value', variable: 'Variable' },
    otherMode: 'As in the JSON',
    valueOf: (label: string): string => `${label}: value`,
    condition: (n: number): string => `Condition ${n}`,
    conditionVariable: (n: number): string => `Variable of condition ${n}`,
    conditionOperator: (n: number): string => `Operator of condition ${n}`,
    comparedWith: (n: number): string => `Condition ${n} compares with`,
    conditionValue: (n: number): string => `Value of condition ${n}`,
    conditionOther: (n: number): string => `Other variable of condition ${n}`,
    addCondition: 'Add a condition',
    always: 'Without a condition it always runs.',
    operators: {
      equals: 'is',
      'not-equals': 'is not',
      'greater-than': 'is greater than',
      'greater-or-equal': 'is at least',
      'less-than': 'is less than',
      'less-or-equal': 'is at most',
      contains: 'contains',
      'not-contains': 'does not contain',
      'starts-with': 'starts with',
      'ends-with': 'ends with',
      'is-empty': 'is empty',
      'is-not-empty': 'is not empty',
    } satisfies Readonly<Record<Operator, string>>,
    /** Whether a condition holds, with the value of its variable. */
    truth: (truth: Truth): string => {
      if (truth.is === 'unknown') return 'Not evaluated yet.';
      if (truth.is === 'refused') return 'Does not hold: the variable has one value per item, and this action has no items.';
      if (truth.is === 'items') return `Holds now for ${number.format(truth.holds)} of ${count(truth.of, 'item', 'items')}.`;
      const now = truth.value === undefined ? 'it has no value' : `it is ${shortValue(truth.value)}`;
      return truth.is === 'holds' ? `Holds now: ${now}.` : `Does not hold now: ${now}.`;
    },
    /** Whether all conditions together let an action run. */
    runs: (truth: Truth): string => {
      if (truth.is === 'unknown') return 'Not evaluated yet.';
      if (truth.is === 'items')
        return `The action runs now for ${number.format(truth.holds)} of ${count(truth.of, 'item', 'items')}.`;
      return truth.is === 'holds' ? 'The action runs now.' : 'The action does not run now.';
    },
    preview: 'Now:',
    previewOfFirst: 'Now, for the first item:',
    noValue: (names: readonly string[]): string => `Without a value: ${names.map((name) => `{${name}}`).join(', ')}`,
  },
  imports: {
    open: 'Import a file…',
    hint: 'CSV, Excel, GeoJSON, KML, GPX, SVG and others',
    several: 'Only the first of these files is imported.',
  },
  library: {
    title: 'Pictures',
    search: 'Search pictures',
    add: 'Upload pictures',
    none: 'This project has no pictures yet. Upload one here, or drop one onto the map or a field for a picture.',
    noMatch: (query: string): string => `No picture matches “${query}”.`,
    size: (width: number, height: number, bytes: number): string => `${pixels({ width, height })}, ${sizeOf(bytes)}`,
    uses: (n: number): string => (n === 0 ? 'not used' : `used ${count(n, 'time', 'times')}`),
    use: 'Use',
    useAsBackground: 'Use as background',
    useOf: (name: string, use: string): string => `${use} ${name}`,
    nameOf: (name: string): string => `New name of ${name}`,
    save: 'Save',
    replace: 'Replace wherever it is used',
    replaced: (n: number): string =>
      n === 0
        ? 'Uploaded. The project did not use the former picture.'
        : `Replaced in ${count(n, 'place', 'places')}. The former picture stays here until you delete it.`,
    removeTitle: (name: string): string => `Delete ${name}?`,
    removeText: (users: readonly string[]): string => {
      const shown = users.slice(0, 5).join(', ');
      const more = users.length > 5 ? `, and ${count(users.length - 5, 'more', 'more')}` : '';
      const used =
        users.length === 0 ? 'The project does not use it.' : `It is used by: ${shown}${more}. They lose their picture.`;
      return `${used} This cannot be undone.`;
    },
    removed: (name: string): string => `Deleted ${name}.`,
    embedded: (n: number): string =>
      `${count(n, 'picture is', 'pictures are')} part of the project itself, which makes it larger and slower to load.`,
    move: 'Move to the library',
    moved: (n: number): string => `Moved ${count(n, 'picture', 'pictures')} to the library.`,
    uploading: (name: string): string => `Uploading ${name}…`,
    scaled: (name: string, from: PixelSize, to: PixelSize): string =>
      `${name} was scaled down from ${pixels(from)} to ${pixels(to)} pixels.`,
    waiting: (name: string): string => `The server does not answer. ${name} waits and is sent again.`,
    /** The reason of the server may name the file, too, and an option of its command line. */
    failed: (name: string, reason: string): string => {
      const said = reason.replace(/ \(--[a-z-]+\)/g, '');
      return said.startsWith(name) ? `Not uploaded: ${said}` : `${name} was not uploaded: ${said}`;
    },
    tooLarge: (name: string, bytes: number, most: number): string =>
      `${name} was not uploaded: it has ${sizeOf(bytes)}, and this server takes pictures of up to ${sizeOf(most)}.`,
    nameRefused: (reason: string): string => `Not renamed: ${reason}`,
    brokenAddress: 'its address holds no picture.',
  },
  saving: {
    states,
    /** About a value of a member that the server refuses. @param member '' if unknown */
    refused: (member: string, detail: string): string =>
      `${member === '' ? 'The value' : `“${spelt(member)}”`}${/^(?:must|is|has) /.test(detail) ? '' : ':'} ${detail}${detail.endsWith('?') ? '' : '.'}`,
    merged: 'Merged with changes by another user.',
    moved: (n: number): string =>
      `${count(n, 'object', 'objects')} moved on the artboard: ${n === 1 ? 'it stays' : 'they stay'} at the same place of the map.`,
    failed: 'Something went wrong in this page. Reload it.',
    noAnswer: 'The server does not answer.',
    waits: 'The server does not answer. Your changes are kept here, and sent again.',
    noArtboard: 'This project has no artboard any more. Add one first.',
    retry: 'Try again now',
    decide: 'Decide',
    /** Before a version is restored. */
    unsaved: 'Some changes are not saved yet. Correct or discard them, and restore then.',
    discard: 'Discard my changes',
  },
} as const;
