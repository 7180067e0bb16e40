/** Texts of a wall, by language. */
import { inLanguage } from '../texts.ts';

const english = { current: 'Data current, {time}', from: 'Data from {time}', none: 'No current data' };

export type WallTexts = Readonly<typeof english>;

const german: WallTexts = { current: 'Daten aktuell, {time}', from: 'Daten von {time}', none: 'Keine aktuellen Daten' };

export const wallTextsFor = (languages: readonly string[]): WallTexts =>
  inLanguage({ en: english, de: german }, languages) ?? english;
