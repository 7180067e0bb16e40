/** Words and bounds of maps for visitors that the model, the viewer and the console have in common. */

/** When the name of an object is written on the map: as the map's setting says, always, or never. */
export const labelChoices = ['auto', 'always', 'never'] as const;
export type LabelChoice = (typeof labelChoices)[number];

/** The ends of a line that have an arrow. */
export const arrowEnds = ['none', 'end', 'both'] as const;
export type ArrowEnds = (typeof arrowEnds)[number];

/** Sizes of a name on the map, in CSS pixels. */
export const labelSizes = { min: 6, max: 96, usual: 13 } as const;

/** Kinds of values that a field shows. */
export const fieldKinds = ['text', 'number', 'choice', 'yes-no', 'date', 'link', 'mail', 'telephone', 'picture'] as const;
export type FieldKind = (typeof fieldKinds)[number];

/** The places where visitors find a field. */
export const fieldPlaces = ['popup', 'list', 'search', 'filter'] as const;
export type FieldPlace = (typeof fieldPlaces)[number];

/** Characters of the name of a category. */
export const categoryLengthMax = 100;

/** Elements of the lists in `settings.public_map`. */
export const publicMapBounds = { categories: 200, fields: 64 } as const;

/** Bounds of the header of a map's page: its links, and characters of texts and addresses. */
export const headerBounds = { links: 8, titleLengthMax: 200, labelLengthMax: 60, addressLengthMax: 2048 } as const;

/** Form of the name of a language, as in HTML: `de`, `pt-BR`. */
export const languageForm = '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$';

/** Minutes without fresh data after which a map shows none: up to a week. */
export const staleMinutesMax = 10_080;

export const isStaleMinutes = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= staleMinutesMax;

/**
 * Colours of new categories, in their order. Two of them, and the grey of objects without a category, differ by at least 14 (CIEDE2000), also for
 * people who see no red, green or blue.
 */
export const categoryColours = [
  ...(['#1d6fd1', '#e8590c', '#770022', '#aadd88', '#3300dd', '#995577'] as const),
  ...(['#44aaff', '#333366', '#004400', '#cc8877', '#99bb00', '#bb3344'] as const),
] as const;

/** Colour of objects without a category or a value. */
export const otherColour = '#9ca3af';

/** Bounds of the properties of an object: their number, characters of a name and of a text, and bytes of the whole as JSON. */
export const propertyBounds = { most: 64, nameLengthMax: 100, textLengthMax: 4096, bytesMax: 16 * 1024 } as const;

/** A value of a property of an object. */
export type PropertyValue = string | number | boolean;

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'ja', 'oui', 'sí', 'si', 'wahr', 'vrai', 'verdadero'].map((word) => [word, true] as const),
  ...['false', 'no', 'nein', 'non', 'falsch', 'faux', 'falso'].map((word) => [word, false] as const),
]);

/** The value of a yes or no in English, German, French or Spanish, in any case; `undefined` for another text. */
export const truthOf = (text: string): boolean | undefined => truths.get(text.toLowerCase());

/** An icon of a set by its name, such as `maki:toilet`; every other text is the address of a picture. */
export const isIconName = (icon: string): boolean => /^(?:maki|temaki):/.test(icon);

interface TextMembers {
  readonly type?: unknown;
  readonly label?: unknown;
  readonly pin?: unknown;
  readonly icon?: unknown;
  readonly opacity?: unknown;
}

/** True if an object is a text: a spot without a pin and a fill, whose name is written in its place. */
export const isText = ({ type, label, pin, icon = '', opacity }: TextMembers): boolean =>
  type === 'spot' && label === 'always' && pin === false && icon === '' && Number(opacity) <= 0;
