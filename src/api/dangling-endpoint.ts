/** Lists the dangling references of a project. */
import Type, { type Static } from 'typebox';
import { type Dangling, findDangling, holdingResource } from '../engine/write/dangling-references.ts';
import { limitOf, pageMembersMax } from '../http/request/query.ts';
import type { Reply } from '../http/response/reply.ts';
import { article } from '../model/noun.ts';
import { projects, resourceOf } from '../model/resources.ts';
import { findProjectWithFiles } from '../store/find.ts';
import { type Query, replyTo } from './crud/conditional-read.ts';
import { rows } from './crud/render.ts';
import { type Api, endpoint, publicPath, type Request } from './declaration.ts';

const kinds = Object.values(resourceOf).map((resource) => resource.kind);
const kind = Type.Enum(kinds);
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
            'Identifier in the reference, truncated if it is very long; of a file, the first part of its address after `/f/`',
        }),
      },
      { additionalProperties: false, description: 'Resource that the reference should identify' },
    ),
    detail: Type.String({ description: 'Description for a human reader' }),
  },
  {
    title: 'DanglingReference',
    description: 'A dangling reference: it refers to a resource that does not exist.',
    additionalProperties: false,
  },
);

function list(api: Api, request: Request): Reply | Promise<Reply> {
  const limit = limitOf(request.query) ?? pageMembersMax;
  const { accountId, projectId } = request.scope;
  const query: Query<readonly Dangling[]> = {
    version: (state) => findProjectWithFiles(state, accountId, projectId),
    search: (state) => findDangling(state, accountId, projectId, limit, api.publicUrl),
  };
  const projectPath = publicPath(api, request).slice(0, -'/problems'.length);
  return replyTo(api, request, query, (found, etag) => {
    return { kind: 'stream', status: 200, etag, stream: rows(found, (dangling) => show(dangling, projectPath)) };
  });
}

function show({ pointer, collection, parentId, id, naming }: Dangling, projectPath: string): Static<typeof DanglingSchema> {
  const holder = parentId === '' ? projectPath : `${projectPath}/artboards/${parentId}`;
  const path = collection === 'projects' ? projectPath : `${holder}/${collection.replaceAll('_', '-')}/${id}`;
  return {
    pointer,
    member: naming.member,
    resource: { kind: holdingResource(collection).kind, id, path },
    refers_to: { kind: resourceOf[naming.collection].kind, id: naming.id },
    detail: `refers to ${article(resourceOf[naming.collection].noun)} that is not in this project`,
  };
}

/** The resource's name as an identifier: `data_source`. */
export const danglingEndpoints = [
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/problems',
    id: 'listProblems',
    tag: 'Projects',
    summary: 'List dangling references',
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
