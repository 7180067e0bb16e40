/** `POST /projects/:project_id/duplicate`: copies a project, or a version of it. */
import Type from 'typebox';
import type { IdempotentRequest } from '../engine/command.ts';
import { duplicateVersion } from '../engine/projects/duplicate-version.ts';
import { duplicateProject } from '../engine/projects/project-writer.ts';
import type { Reply } from '../http/response/reply.ts';
import { RecordTooLargeError } from '../lib/errors.ts';
import { checkShape, FieldErrorList, shapeOf } from '../model/bodies/check-body.ts';
import { projects } from '../model/resources.ts';
import { actorOf } from './authorize.ts';
import { preconditionOf } from './crud/etag.ts';
import { oneQuery, projectTooLarge, responseBuilder, succeeded } from './crud/handlers.ts';
import { repeatable } from './crud/idempotency-key.ts';
import { type Api, endpoint, type Request } from './declaration.ts';
import { storedFilesOf } from './files/file-endpoints.ts';
import { withProblems } from './versions/version-problems.ts';

const DuplicationSchema = Type.Object(
  {
    name: Type.Optional(Type.String({ description: 'Name of the copy. Default: the name of the project' })),
    version: Type.Optional(Type.String({ description: 'Identifier of the version to copy. Default: the present state' })),
  },
  {
    title: 'Duplication',
    description: 'What is copied, and members that the copy has instead of those of the original.',
    additionalProperties: false,
  },
);

const duplicationShape = shapeOf('duplication', DuplicationSchema);

export const duplicateEndpoints = [
  endpoint({
    method: 'POST',
    path: '/projects/:project_id/duplicate',
    id: 'duplicateProject',
    tag: 'Projects',
    summary: 'Copy a project',
    description:
      'Copies the project, or a version of it, with all members in the same order. The copies get new identifiers; references among them and links `#ID` to artboards and objects are rewritten. Files have the same bytes, and addresses of their own.',
    query: oneQuery,
    body: DuplicationSchema,
    bodyIsOptional: true,
    makesProject: true,
    response: projects.bodies.response,
    example: () => ({ body: { name: 'Office, next year' } }),
    handle: repeatable(duplicate),
  }),
];

async function duplicate(api: Api, request: Request, once: IdempotentRequest | undefined): Promise<Reply> {
  const { scope } = request;
  const fieldErrors = new FieldErrorList(request.fieldErrors);
  const isSound = checkShape(duplicationShape, request.body, '', fieldErrors);
  const { version, ...body } = request.body;
  const duplication = {
    accountId: scope.accountId,
    projectId: scope.projectId,
    by: actorOf(scope),
    body,
    fieldErrors: fieldErrors.toArray(),
    shard: api.publishing?.shard ?? 0,
    publicUrl: api.publicUrl,
    precondition: preconditionOf(request, api),
  };
  const making = responseBuilder(api, request, projects, once);
  try {
    if (!isSound || version === undefined) return succeeded(await duplicateProject(api.engine, duplication, making));
    const ofVersion = { ...duplication, versionId: version as string };
    return await withProblems(api, async () =>
      succeeded(await duplicateVersion(api.engine, storedFilesOf(api), ofVersion, making)),
    );
  } catch (error) {
    throw error instanceof RecordTooLargeError ? projectTooLarge(api, 'no copy was made') : error;
  }
}
