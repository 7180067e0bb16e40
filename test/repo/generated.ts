/** The committed files that are derived from the program, by path, each with what makes its text. */
import { typesText } from './client-types.ts';
import { configurationText } from './configuration.ts';
import { formsText } from './console-forms.ts';
import { committedDescription } from './openapi.ts';

export const generatedFiles: Readonly<Record<string, () => string>> = {
  'openapi.json': committedDescription,
  'src/web/client/generated/api-types.ts': typesText,
  'src/web/console/generated/forms.ts': formsText,
  'docs/configuration.md': configurationText,
};
