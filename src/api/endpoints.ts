/** Every endpoint there is: the table of contents of the API. */
import { actionsEndpoints } from './actions.ts';
import { artboardsEndpoints } from './artboards.ts';
import { batchEndpoints } from './batch.ts';
import { danglingEndpoints } from './dangling.ts';
import { dataSourcesEndpoints } from './data-sources.ts';
import { duplicateEndpoints } from './duplicate.ts';
import type { Declaration } from './endpoint.ts';
import { eventsEndpoints } from './events.ts';
import { exportEndpoints } from './export.ts';
import { importEndpoints } from './import.ts';
import { objectsEndpoints } from './objects.ts';
import { popupsEndpoints } from './popups.ts';
import { projectsEndpoints } from './projects.ts';
import { variablesEndpoints } from './variables.ts';

export const endpoints: readonly Declaration[] = [
  ...projectsEndpoints, //    /projects
  ...artboardsEndpoints, //   /projects/:project_id/artboards
  ...objectsEndpoints, //     /projects/:project_id/artboards/:artboard_id/objects
  ...popupsEndpoints, //      /projects/:project_id/popups
  ...dataSourcesEndpoints, // /projects/:project_id/data-sources
  ...variablesEndpoints, //   /projects/:project_id/variables
  ...actionsEndpoints, //     /projects/:project_id/actions
  ...batchEndpoints, //       /projects/:project_id/batch
  ...danglingEndpoints, //    /projects/:project_id/problems
  ...duplicateEndpoints, //   /projects/:project_id/duplicate
  ...exportEndpoints, //      /projects/:project_id/export
  ...importEndpoints, //      /projects/import
  ...eventsEndpoints, //      /events, /projects/:project_id/events
];
