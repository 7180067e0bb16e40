/** Whose tiles a map shows. */
import { texts } from '../console-texts.ts';

export const Credit = () => (
  <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">
    {texts.credit}
  </a>
);
