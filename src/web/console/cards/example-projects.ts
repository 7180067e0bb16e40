/** The example projects of the package, which the build puts next to the page. */
import type { ProjectDocument } from '../../client/client.ts';
import { serverRoot } from '../server/server-root.ts';

/** Names of the files of `data/examples`. */
export const exampleNames = ['shopping-centre', 'office', 'cities', 'world-countries', 'us-counties'] as const;
export type ExampleName = (typeof exampleNames)[number];

/** The document of an example, to be imported. */
export async function exampleDocument(name: ExampleName): Promise<ProjectDocument> {
  const response = await fetch(`${serverRoot()}console/${name}.json`);
  return (await response.json()) as ProjectDocument;
}
