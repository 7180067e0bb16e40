/** All endpoints of the API. */
import type { CollectionName } from '../model/resource.ts';
import { projects, resourceOf } from '../model/resources.ts';
import { batchEndpoints } from './batch-endpoint.ts';
import { crudEndpoints } from './crud/crud-endpoints.ts';
import { memberHandlers, projectHandlers } from './crud/handlers.ts';
import { danglingEndpoints } from './dangling-endpoint.ts';
import type { Declaration } from './declaration.ts';
import { duplicateEndpoints } from './duplicate-endpoint.ts';
import { eventsEndpoints } from './events-endpoint.ts';
import { exportEndpoints } from './export-endpoint.ts';
import { fileEndpoints } from './files/file-endpoints.ts';
import { filePaths } from './files/public-file-endpoint.ts';
import { healthPaths } from './health-endpoints.ts';
import { importEndpoints } from './import-endpoint.ts';
import { evaluateEndpoints } from './live/evaluate-endpoint.ts';
import { failingSourcesEndpoints } from './live/failing-sources-endpoint.ts';
import { publishedSourcesEndpoints } from './live/published-sources-endpoint.ts';
import { responseEndpoints } from './live/response-endpoints.ts';
import { meEndpoints } from './me-endpoint.ts';
import type { JsonObject } from './openapi/openapi-schemas.ts';
import { viewerPaths } from './pages/viewer-endpoint.ts';
import { docsPaths } from './pages/web-pages.ts';
import { geojsonEndpoints } from './places/geojson-endpoint.ts';
import { previewEndpoints } from './preview/preview-endpoint.ts';
import { oembedPaths } from './publish/oembed-endpoint.ts';
import { pictureEndpoint } from './publish/picture-endpoint.ts';
import { publicationEndpoints } from './publish/publication-endpoints.ts';
import { publishedPaths } from './publish/published-paths.ts';
import { seenPaths } from './publish/visits/seen-endpoint.ts';
import { visitsEndpoints } from './publish/visits/visits-endpoint.ts';
import { revisionEndpoints } from './revisions-endpoint.ts';
import { versionEndpoints } from './versions/version-endpoints.ts';

const membersOf = (collection: CollectionName, path: string, param: string) =>
  crudEndpoints(path, param, resourceOf[collection], memberHandlers(collection, param));

export const endpoints: readonly Declaration[] = [
  ...crudEndpoints('/projects', 'project_id', projects, projectHandlers),
  ...membersOf('artboards', '/projects/:project_id/artboards', 'artboard_id'),
  ...membersOf('objects', '/projects/:project_id/artboards/:artboard_id/objects', 'object_id'),
  ...membersOf('popups', '/projects/:project_id/popups', 'popup_id'),
  ...membersOf('data_sources', '/projects/:project_id/data-sources', 'data_source_id'),
  ...membersOf('variables', '/projects/:project_id/variables', 'variable_id'),
  ...membersOf('actions', '/projects/:project_id/actions', 'action_id'),
  ...fileEndpoints, //      /projects/:project_id/files
  ...versionEndpoints, //   /projects/:project_id/versions
  ...batchEndpoints, //     /projects/:project_id/batch
  ...danglingEndpoints, //  /projects/:project_id/problems
  ...duplicateEndpoints, // /projects/:project_id/duplicate
  ...exportEndpoints, //    /projects/:project_id/export
  ...geojsonEndpoints, //   /projects/:project_id/artboards/:artboard_id/export.geojson
  ...importEndpoints, //    /projects/import
  ...previewEndpoints, //   /projects/:project_id/artboards/:artboard_id/preview.svg, preview.png
  ...responseEndpoints, //  /projects/:project_id/data-sources/:data_source_id/response
  ...evaluateEndpoints, //  /projects/:project_id/evaluate
  ...failingSourcesEndpoints, // /failing-sources
  ...publishedSourcesEndpoints, // /projects/:project_id/publication/sources
  ...publicationEndpoints, // /projects/:project_id/publication, /publications
  pictureEndpoint, // /projects/:project_id/publication/picture
  ...visitsEndpoints, //    /projects/:project_id/publication/visits
  ...revisionEndpoints, //  /revisions
  ...eventsEndpoints, //    /events, /projects/:project_id/events
  ...meEndpoints, //        /me
];

/** Descriptions of what needs no key, by path. `src/server/build-endpoints.ts` makes these endpoints, if they are enabled. */
export const publicPaths: Readonly<Record<string, JsonObject>> = {
  ...healthPaths, //    /healthz, /readyz, /metrics
  ...publishedPaths, // /p/{slug}
  ...seenPaths, //    /p/{slug}/seen
  ...oembedPaths, // /oembed
  ...filePaths, //     /f/{slug}/{name}
  ...docsPaths, //      /docs
  ...viewerPaths, //    /viewer.js, /viewer/{file}
};
