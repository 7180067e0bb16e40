/** Texts of the panel, by language. */
import { inLanguage } from '../texts.ts';

const english = {
  panel: 'Search, categories and list',
  skip: 'Skip the list',
  search: 'Search',
  found: '{count} of {total}',
  nothingFound: 'Nothing was found.',
  clear: 'Clear',
  categories: 'Categories',
  filters: 'Filters',
  filtersOn: 'Filters ({count})',
  all: 'All',
  only: 'Only',
  onlyThis: 'Only {name}',
  other: 'Other places',
  narrow: 'Find in "{name}"',
  more: '{count} of {total} are shown.',
  least: 'From',
  most: 'To',
  yes: 'Yes',
  no: 'No',
};

export type PanelTexts = Readonly<typeof english>;

const german: PanelTexts = {
  panel: 'Suche, Kategorien und Liste',
  skip: 'Liste überspringen',
  search: 'Suchen',
  found: '{count} von {total}',
  nothingFound: 'Nichts gefunden.',
  clear: 'Zurücksetzen',
  categories: 'Kategorien',
  filters: 'Filter',
  filtersOn: 'Filter ({count})',
  all: 'Alle',
  only: 'Nur',
  onlyThis: 'Nur {name}',
  other: 'Weitere Orte',
  narrow: 'In „{name}“ suchen',
  more: '{count} von {total} werden gezeigt.',
  least: 'Von',
  most: 'Bis',
  yes: 'Ja',
  no: 'Nein',
};

export const panelTextsFor = (languages: readonly string[]): PanelTexts =>
  inLanguage({ en: english, de: german }, languages) ?? english;
