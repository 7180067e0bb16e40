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

/** A value of a property of an object. */
export type PropertyValue = string | number | boolean;

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
