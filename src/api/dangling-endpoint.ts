/** Lists the problems of a project: dangling references, unknown icons and map tiles, and a `public_map` from before it was checked. */
import Type, { type Static } from 'typebox';
import { type Dangling, findDangling, holdingResource } from '../engine/write/integrity/dangling-references.ts';
import { limitOf, pageMembersMax } from '../http/request/query.ts';
import type { Reply } from '../http/response/reply.ts';
import { article } from '../model/noun.ts';
import { projects, resourceOf } from '../model/resources.ts';
import { findProject, findProjectWithFiles } from '../store/find.ts';
import { viewProject } from '../store/list/views.ts';
import { type Query, replyTo } from './crud/conditional-read.ts';
import { rows } from './crud/render.ts';
import { type Api, endpoint, publicPath, type Request } from './declaration.ts';
import { type MapProblem, mapProblems } from './publish/map-problems.ts';

const kinds = Object.values(resourceOf).map((resource) => resource.kind);
/** An icon is in no collection, and `public_map` is a part of `settings`. */
const kind = Type.Enum([...kinds, 'icon', 'public_map', 'tiles']);
const holderKind = Type.Enum([...kinds, projects.kind]);

const DanglingSchema = Type.Object(
  {
    pointer: Type.String({ description: 'JSON Pointer (RFC 6901) into the project document' }),
    member: Type.String({ description: 'Member that has the reference' }),
    resource: Type.Object(
      { kind: holderKind, id: Type.String(), path: Type.String({ description: 'Path of the resource' }) },
      { additionalProperties: false, description: 'Resource that has the reference' },
    ),
    refers_to: Type.Object(
      {
        kind,
        id: Type.String({
          description:
            'Identifier in the reference, truncated if it is very long; of a file, the first part of its address after `/f/`; of an icon or of map tiles, the name',
        }),
      },
      {
        additionalProperties: false,
        description: 'Resource that the reference should identify; an icon; map tiles; or the `public_map` of the settings',
      },
    ),
    detail: Type.String({ description: 'Description for a human reader' }),
  },
  {
    title: 'DanglingReference',
    description:
      'A dangling reference: it refers to a resource, an icon or map tiles that do not exist. Or a `public_map` that does not fit, and is not published.',
    additionalProperties: false,
  },
);

function list(api: Api, request: Request): Reply | Promise<Reply> {
  const limit = limitOf(request.query) ?? pageMembersMax;
  const { accountId, projectId } = request.scope;
  const query: Query<readonly (Dangling | MapProblem)[]> = {
    version: (state) => findProjectWithFiles(state, accountId, projectId),
    *search(state) {
      const { value: project } = findProject(state, accountId, projectId);
      // Both searches capture the project in this turn.
      const view = project && viewProject(project, undefined);
      const { value: dangling, version } = yield* findDangling(state, accountId, projectId, limit, api.publicUrl);
      if (view === undefined || dangling === undefined) return { value: undefined, version };
      return { value: [...dangling, ...(yield* mapProblems(view, limit - dangling.length, api.tiles))], version };
    },
  };
  const projectPath = publicPath(api, request).slice(0, -'/problems'.length);
  return replyTo(api, request, query, (found, etag) => {
    return { kind: 'stream', status: 200, etag, stream: rows(found, (dangling) => show(dangling, projectPath)) };
  });
}

function show(problem: Dangling | MapProblem, projectPath: string): Static<typeof DanglingSchema> {
  const { pointer, collection, parentId, id } = problem;
  const holder = parentId === '' ? projectPath : `${projectPath}/artboards/${parentId}`;
  const path = collection === 'projects' ? projectPath : `${holder}/${collection.replaceAll('_', '-')}/${id}`;
  return {
    pointer,
    resource: { kind: holdingResource(collection).kind, id, path },
    ...('naming' in problem ? reference(problem) : shownProblem(problem)),
  };
}

const reference = ({ naming: { member, collection, id } }: Dangling) => ({
  ...{ member, refers_to: { kind: resourceOf[collection].kind, id } },
  detail: `refers to ${article(resourceOf[collection].noun)} that is not in this project`,
});

const shownProblem = ({ member, refersTo, detail }: MapProblem) => ({ member, refers_to: refersTo, detail });

/** The resource's name as an identifier: `data_source`. */
export const danglingEndpoints = [
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/problems',
    id: 'listProblems',
    tag: 'Projects',
    summary: 'List dangling references and what a public map leaves out',
    query: {
      limit: Type.Integer({
        minimum: 1,
        maximum: pageMembersMax,
        description: `Maximum number of results; default ${pageMembersMax}`,
      }),
    },
    response: Type.Array(DanglingSchema),
    handle: list,
  }),
];
