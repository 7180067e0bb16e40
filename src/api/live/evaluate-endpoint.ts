/** `POST …/projects/:project_id/evaluate`: what data sources, variables and actions make of a project as it is now. */
import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { problems } from '../../http/problem.ts';
import type { Reply } from '../../http/response/reply.ts';
import { runCooperatively } from '../../lib/async/cooperative.ts';
import { pointerOf } from '../../lib/field-error.ts';
import { askedSources } from '../../live/evaluate/asked-sources.ts';
import { bounds } from '../../live/evaluate/evaluation.ts';
import type { Live } from '../../live/live.ts';
import { type StoredSource, settingsKey } from '../../live/sources/source-request.ts';
import { checkShape, FieldErrorList, shapeOf } from '../../model/bodies/check-body.ts';
import { refreshRange } from '../../model/publication.ts';
import type { Value } from '../../model/value.ts';
import { findProject } from '../../store/find.ts';
import { viewProject } from '../../store/list/views.ts';
import type { Member } from '../../store/member.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { one } from '../crud/render.ts';
import { type Api, endpoint, type Request } from '../declaration.ts';
import { exampleIds } from '../openapi/resource-examples.ts';
import { liveOf, sourceOf } from './live-access.ts';

const EvaluateSchema = Type.Object(
  {
    responses: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Responses by identifier of the data source. Then nothing is fetched, and a data source that is not among them has no response',
      }),
    ),
    seed: Type.Optional(
      Type.String({ description: 'Decides the values of variables of type `random`. Default: the time', maxLength: 100 }),
    ),
    now: Type.Optional(Type.String({ description: 'The time that `now()` returns, RFC 3339. Default: that of the server' })),
  },
  { title: 'EvaluateOptions', description: 'How to evaluate a project.', additionalProperties: false },
);

const shape = shapeOf('evaluation', EvaluateSchema);

const members = (description: string) => Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), { description });

/** Something that an action creates: its identifier, and members as the API shows them. */
const created = (description: string) => Type.Object({ id: Type.String() }, { additionalProperties: true, description });

const counts = (noun: string) => ({
  of: Type.Integer({ minimum: 0, description: `Number of all ${noun}` }),
  count: Type.Integer({ minimum: 0, description: 'Number of those without a partner' }),
});

const EvaluationSchema = Type.Object(
  {
    values: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Values by identifier of the variable; a list with one value per item if it depends on an iterator',
    }),
    objects: members('Changed members of objects, by identifier'),
    popups: members('Changed members of popups, by identifier'),
    created: Type.Array(
      Type.Object(
        {
          action_id: Type.String(),
          artboard_id: Type.String(),
          object: created('An object'),
          popup: Type.Union([created('Its popup'), Type.Null()]),
        },
        { additionalProperties: false },
      ),
      { description: 'Created objects, with their popups' },
    ),
    created_popups: Type.Array(
      Type.Object(
        { action_id: Type.String(), object_id: Type.String(), popup: created('A popup') },
        { additionalProperties: false },
      ),
      { description: 'Popups of objects that a list names and that have none' },
    ),
    unmatched: Type.Array(
      Type.Object(
        {
          action_id: Type.String(),
          items: Type.Object(
            {
              ...counts('items'),
              first: Type.Array(
                Type.Object(
                  {
                    item: Type.Integer({ minimum: 0, description: 'Position of the item' }),
                    value: Type.Union([Type.String(), Type.Null()], { description: 'Its value as text; null without one' }),
                  },
                  { additionalProperties: false },
                ),
                { maxItems: bounds.unmatchedShown },
              ),
            },
            { additionalProperties: false, description: 'Items whose value names no object' },
          ),
          objects: Type.Object(
            {
              ...counts('objects in reach'),
              first: Type.Array(Type.String(), { maxItems: bounds.unmatchedShown, description: 'Their identifiers' }),
            },
            { additionalProperties: false, description: 'Objects in reach that no item names' },
          ),
        },
        { additionalProperties: false },
      ),
      { description: 'What found no partner, for each action that follows a list: counts, and the first hundred' },
    ),
    problems: Type.Array(
      Type.Object(
        {
          resource: Type.Object(
            { kind: Type.String(), id: Type.String(), path: Type.String({ description: 'Path of the resource' }) },
            { additionalProperties: false },
          ),
          pointer: Type.String({ description: 'JSON Pointer (RFC 6901) into the project document' }),
          detail: Type.String({ description: 'Description for a human reader' }),
          at: Type.Optional(
            Type.Number({
              description: 'Place in the text of an expression that cannot be read, in UTF-16 code units from its beginning',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { description: 'What was left out, and why' },
    ),
  },
  { title: 'Evaluation', description: 'The result of an evaluation.', additionalProperties: false },
);

export const evaluateEndpoints = [
  endpoint({
    method: 'POST',
    path: '/projects/:project_id/evaluate',
    id: 'evaluateProject',
    tag: 'Live maps',
    summary: 'Evaluate data sources, variables and actions',
    description:
      'Evaluates the project as it is now, and changes nothing. Without `responses`, a key with write access fetches the data sources that variables read, the first 1,000 of the project, if their newest response is older than the refresh of the publication (60 s if the project is not published), and waits at most `--data-timeout`; a read-only key gets the newest responses as they are.',
    body: EvaluateSchema,
    bodyIsOptional: true,
    isUnversioned: true,
    right: 'read',
    response: EvaluationSchema,
    example: () => ({
      body: { responses: { [exampleIds.DataSource]: { totals: { taken: 61 } } }, now: '2026-11-24T09:30:00Z' },
    }),
    handle: evaluateProject,
  }),
];

async function evaluateProject(api: Api, request: Request): Promise<Reply> {
  const live = liveOf(api, request);
  const { accountId, projectId } = request.scope;
  const find = (): Promise<StoredProject> => readProject(api, accountId, projectId);
  const found = await find();
  const given = optionsIn(request);
  const own = given.responses && (await runCooperatively(textsOf(given.responses, live.responseBytesMax)));
  if (own === undefined) await refreshResponses(live, request, find);
  const inputs = inputsName(given, own?.digest);
  const json = await live.runs.run({ kind: 'project', accountId, projectId, version: found.version, inputs }, async () => {
    const asked = async () => live.sources.bodies({ accountId, projectId }, await runCooperatively(askedIn(await find())));
    const responses = own?.texts ?? (await asked());
    const project = await runCooperatively(joined(one(viewProject(await find(), undefined), undefined, api.cache)));
    const now = given.now ?? new Date(live.clock()).toISOString();
    return { kind: 'project', project, responses, seed: given.seed ?? now, now };
  });
  return { kind: 'json', status: 200, json: Buffer.from(json.buffer, json.byteOffset, json.byteLength) };
}

function optionsIn({ body, fieldErrors: found }: Request): Static<typeof EvaluateSchema> {
  const fieldErrors = new FieldErrorList(found);
  const given = body as Static<typeof EvaluateSchema>;
  if (checkShape(shape, body, '', fieldErrors) && given.now !== undefined && Number.isNaN(Date.parse(given.now)))
    fieldErrors.add('/now', 'must be a time such as "2026-11-24T09:30:00Z"');
  if (fieldErrors.size > 0) throw problems.validationFailed(fieldErrors.toArray());
  return given;
}

/** The project, once everything that is read of it is durable. */
async function readProject(api: Api, accountId: string, projectId: string): Promise<StoredProject> {
  const { value } = await api.engine.reader.read((state) => findProject(state, accountId, projectId));
  if (value === undefined) throw problems.notFound();
  return value;
}

/** A name that only requests with equal inputs have; `undefined` for a request without any. */
function inputsName({ seed, now }: Static<typeof EvaluateSchema>, digest: string | undefined): string | undefined {
  return seed === undefined && now === undefined && digest === undefined ? undefined : JSON.stringify([seed, now, digest]);
}

/** Fetches what is not fresh, and waits for it; for a key that may write. */
async function refreshResponses(live: Live, request: Request, find: () => Promise<StoredProject>): Promise<void> {
  const { accountId, projectId, readOnly } = request.scope;
  // A key for reading makes no request.
  if (readOnly) return;
  const sources = await runCooperatively(askedIn(await find()));
  // It may have been deleted meanwhile: its data sources are not asked then.
  const { publication } = await find();
  const refreshMs = (publication?.live?.refresh ?? refreshRange.ofLiveMap) * 1000;
  const name = { accountId, projectId };
  live.sources.watch(name, sources, refreshMs);
  await live.sources.fresh(name, sources, { maxAgeMs: refreshMs, waitMs: live.timeoutMs });
}

/** The data sources of a project that an evaluation asks, as the API shows them. Only these are read from their bytes for longer. */
function* askedIn(project: StoredProject): Generator<void, StoredSource[]> {
  const members = (name: 'variables' | 'data_sources'): Iterable<Member> => project.collection(name, '')?.capture() ?? [];
  const asked = yield* askedSources(valuesOf(members('variables')), identified(members('data_sources')));
  const sources: StoredSource[] = [];
  for (const { member } of asked) {
    const source = sourceOf(member);
    // Kept with the object, for the calls that follow.
    settingsKey(source);
    sources.push(source);
    yield;
  }
  return sources;
}

function* valuesOf(members: Iterable<Member>): Generator<Value> {
  for (const { value } of members) yield value;
}

function* identified(members: Iterable<Member>): Generator<{ readonly id: string; readonly member: Member }> {
  for (const member of members) yield { id: member.value.id, member };
}

interface GivenResponses {
  readonly texts: Readonly<Record<string, string>>;
  readonly digest: string;
}

/** The given responses as texts, one per slice. */
function* textsOf(given: Readonly<Record<string, unknown>>, bytesMax: number): Generator<void, GivenResponses> {
  const digest = createHash('sha256');
  const texts: Record<string, string> = Object.create(null);
  for (const [id, value] of Object.entries(given)) {
    const text = JSON.stringify(value);
    if (Buffer.byteLength(text) > bytesMax) {
      throw problems.validationFailed([
        { pointer: pointerOf(['responses', id]), detail: `may have ${bytesMax} bytes (--data-mb)` },
      ]);
    }
    texts[id] = text;
    digest.update(JSON.stringify(id)).update(text);
    yield;
  }
  return { texts, digest: digest.digest('hex') };
}

function* joined(parts: Iterable<string | Buffer>): Generator<void, Buffer> {
  const buffers: Buffer[] = [];
  for (const part of parts) {
    buffers.push(typeof part === 'string' ? Buffer.from(part) : part);
    yield;
  }
  return Buffer.concat(buffers);
}
