/** Texts of details, by language. */
import { inLanguage } from '../texts.ts';

const english = { back: 'Back to the list', route: 'Directions', yes: 'Yes', no: 'No' };

const german: typeof english = { back: 'Zurück zur Liste', route: 'Route', yes: 'Ja', no: 'Nein' };

export const detailsTextsFor = (languages: readonly string[]): Readonly<typeof english> =>
  inLanguage({ en: english, de: german }, languages) ?? english;
