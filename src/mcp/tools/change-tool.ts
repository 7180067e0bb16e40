/** `change`: operations of a batch, all or none; before the first one of an agent, the project is kept. */
import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { closed, type ToolContext, type ToolResult, tool } from '../agent-tool.ts';
import { type MapsApi, projectPath, wrongArgument } from '../maps-api.ts';
import { memberWords } from '../member-words.ts';
import { undoing } from '../new-project.ts';
import { batchOperations } from './operations-of-agent.ts';

/** Fewer than the API takes: an agent writes each of them. */
const operationsMax = 500;

const operation = Type.Object(
  {
    method: Type.Enum(['POST', 'PATCH', 'DELETE'], { description: 'Create, change, delete' }),
    path: Type.String({
      description:
        '/artboards, /artboards/ID, /artboards/ID/objects, /artboards/ID/objects/ID, /popups, /popups/ID, …, or / for the project',
    }),
    body: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Members to set; none for DELETE' })),
    as: Type.Optional(
      Type.String({
        description: 'Name of what is created: later paths and identifiers may say {name}, as in /artboards/{ground}/objects',
      }),
    ),
    merge: Type.Optional(
      Type.Boolean({
        description:
          'PATCH: settings and properties keep members that are not given, and null removes one. Default true; false replaces them',
      }),
    ),
  },
  closed,
);

const input = Type.Object(
  {
    project: Type.Optional(Type.String({ description: 'Identifier of the project' })),
    new_project: Type.Optional(Type.String({ description: 'Instead: name of a project to create, which gets the operations' })),
    operations: Type.Array(operation, { maxItems: operationsMax }),
    retry_key: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Any unique text: the same call with it is carried out once, also if it is repeated',
      }),
    ),
  },
  closed,
);

export const change = tool({
  name: 'change',
  title: 'Change a project',
  description: `Carries out operations in their order: all, or none. An error names the operation by its index. Dangling references are refused. The result has identifiers, and "version_before": restore it with the tool versions to undo the work of the last hour.\nMembers:\n${memberWords()}`,
  needs: 'write',
  effect: 'destroys',
  input,
  run,
});

/** The answer of the API to an operation. */
interface Result {
  readonly body: { readonly id: string } | null;
}

/** Paths that a batch may change. The API also takes files and versions: an agent must not delete its way back. */
const changeable = /^\/(?:$|(?:artboards|popups|data-sources|variables|actions)(?:\/|$))/;

async function run({ api, versions }: ToolContext, args: Static<typeof input>): Promise<ToolResult> {
  const { project, new_project: name, operations } = args;
  if ((project === undefined) === (name === undefined))
    throw wrongArgument('project', 'must be given, or "new_project" instead, and not both.');
  if (project !== undefined && operations.length === 0) throw wrongArgument('operations', 'has none: nothing is to be changed.');
  const other = operations.findIndex(({ path }) => !changeable.test(path));
  if (other !== -1)
    throw wrongArgument(
      'operations',
      `has another path at ${other} than those of artboards, objects, popups, data sources, variables, actions and /.`,
    );
  if (project !== undefined) {
    const before = await versions.before(api, project);
    const results = await carryOut(api, project, args);
    versions.changed(api, project);
    return { structured: { data: { project, results }, version_before: before } };
  }
  const headers = keyOf(args.retry_key, 'project');
  const made = await api.send<{ readonly id: string }>('POST', '/projects', { name }, { query: { fields: 'name' }, headers });
  const results = await undoing(api, made.id, args.retry_key === undefined, async () =>
    operations.length === 0 ? [] : await carryOut(api, made.id, args),
  );
  return { structured: { data: { project: made.id, results } } };
}

async function carryOut(api: MapsApi, project: string, { operations, retry_key: key }: Static<typeof input>): Promise<unknown[]> {
  const path = projectPath(project, '/batch');
  const asked = { query: { strict: 'true' }, headers: keyOf(key, 'batch') };
  const { results } = await api.send<{ readonly results: readonly Result[] }>(
    'POST',
    path,
    { operations: batchOperations(operations, key && `${project}\n${key}`) },
    asked,
  );
  return operations.map(({ as, method }, i) => {
    const id = results[i]?.body?.id;
    if (method === 'DELETE' || id === undefined) return { deleted: true };
    return as === undefined ? { id } : { as, id };
  });
}

/** One key of an agent stands for several requests, and may have any characters. */
const keyOf = (key: string | undefined, what: string): Readonly<Record<string, string>> =>
  key === undefined ? {} : { 'idempotency-key': `${what}-${createHash('sha256').update(key).digest('hex')}` };
