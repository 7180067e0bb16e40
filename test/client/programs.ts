/** The programs that docs/client.md shows: the first program, the change feed, the schemas. */
import { documentText } from '../support/documents.ts';

export const clientPrograms = (): string[] =>
  Array.from(documentText('docs/client.md').matchAll(/\n\n```ts\n([\s\S]*?)```/g), ([, program = '']) => program);
