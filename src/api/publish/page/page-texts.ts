/** Texts of the page of a map, in its language: the page is there before a script knows that of the visitor. */

export interface PageTexts {
  readonly needsScript: string;
  readonly places: string;
  readonly otherPlaces: string;
  readonly yes: string;
  readonly no: string;
  readonly picture: (title: string) => string;
  readonly links: string;
  readonly more: (places: number) => string;
}

const english: PageTexts = {
  needsScript: 'The map itself needs JavaScript.',
  places: 'Places on the map',
  otherPlaces: 'Other places',
  yes: 'yes',
  no: 'no',
  picture: (title) => `Map: ${title}`,
  links: 'Links',
  more: (places) => `The list ends here. The map has ${places} more ${places === 1 ? 'place' : 'places'}.`,
};

const german: PageTexts = {
  needsScript: 'Die Karte selbst braucht JavaScript.',
  places: 'Orte auf der Karte',
  otherPlaces: 'Weitere Orte',
  yes: 'ja',
  no: 'nein',
  picture: (title) => `Karte: ${title}`,
  links: 'Links',
  more: (places) => `Hier endet die Liste. Die Karte hat ${places} ${places === 1 ? 'weiteren Ort' : 'weitere Orte'}.`,
};

/** @param language of the map, such as `de-AT`; English for one without texts */
export const pageTextsFor = (language: string): PageTexts => (/^de(?:-|$)/i.test(language) ? german : english);
