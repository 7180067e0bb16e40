/** The operations of a batch: their schema, and how the document becomes commands. */
import Type from 'typebox';
import type { Command, GivenIds, Placement, Target } from '../engine/command.ts';
import type { BatchCommand } from '../engine/write/decide-batch.ts';
import { idProblem } from '../engine/write/given-ids.ts';
import { Problem } from '../http/problem.ts';
import { pointerTo } from '../lib/field-error.ts';
import { checkShape, type FieldErrorList, isObject, shapeOf } from '../model/bodies/check-body.ts';
import type { CollectionName } from '../model/resource.ts';
import { isBesideDocument, projects } from '../model/resources.ts';
import { preconditionOf } from './crud/etag.ts';
import type { Api, Request } from './declaration.ts';

/** Maximum number of operations in a batch. */
export const operationsMax = 1000;

const OperationSchema = Type.Object(
  {
    method: Type.Enum(['POST', 'PATCH', 'DELETE'], { description: 'POST creates, PATCH changes, DELETE deletes' }),
    path: Type.String({
      description: 'Path relative to the project: "/popups", "/artboards/<id>/objects/<id>"; "/" for the project itself',
    }),
    body: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Body of the same request outside a batch; must be omitted for DELETE, and may be for a PATCH with `before` or `to_artboard`',
        },
      ),
    ),
    as: Type.Optional(Type.String({ description: 'Name of the result. Later paths and references may use it in braces' })),
    id: Type.Optional(
      Type.String({
        description:
          'For POST: identifier of what is created, a UUIDv7 at most five minutes ahead of the clock of the server. Objects in the body of an artboard may have an `id`, too',
      }),
    ),
    before: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'For POST and PATCH of a member: the member of its collection that it comes before; null for the last place',
      }),
    ),
    to_artboard: Type.Optional(
      Type.String({
        description:
          'For PATCH of an object: the artboard that it moves to, with its identifier. `before` is then an object there',
      }),
    ),
    if_match: Type.Optional(Type.String({ description: 'If-Match header of this operation' })),
    merge: Type.Optional(
      Type.Boolean({
        description:
          'For PATCH: the body is a JSON Merge Patch (RFC 7396). Objects in open structures are merged, and null removes',
      }),
    ),
    keep_places: Type.Optional(
      Type.Boolean({
        description:
          'For PATCH of an artboard, or with `to_artboard`: the objects that move stay where they are on Earth. All artboards are of type "osm"',
      }),
    ),
  },
  { title: 'Operation', description: 'A write to the project or to a resource in it.', additionalProperties: false },
);
export const BatchSchema = Type.Object(
  {
    operations: Type.Array(OperationSchema, { maxItems: operationsMax, description: 'Operations, in the order of execution' }),
    keep_version: Type.Optional(
      Type.Boolean({
        description: 'Keep the state before the batch as an automatic version, as imports do with their first batch',
      }),
    ),
  },
  { title: 'Batch', description: 'Operations that are all applied, or none.', additionalProperties: false },
);
const batchShape = shapeOf(
  'batch',
  Type.Object(
    { operations: Type.Array(Type.Unknown()), keep_version: BatchSchema.properties.keep_version },
    { additionalProperties: false },
  ),
);
const operationShape = shapeOf('operation of a batch', OperationSchema);

/** The commands of a batch that can be read; errors of the others. */
export function operationsIn(api: Api, request: Request, fieldErrors: FieldErrorList): BatchCommand[] {
  const { body } = request;
  if (!checkShape(batchShape, body, '', fieldErrors)) return [];
  const list = body['operations'] as readonly unknown[];
  if (list.length > operationsMax) {
    fieldErrors.add('/operations', `has ${list.length} operations, of at most ${operationsMax}: send them in several batches`);
    return [];
  }
  const names = new Set<string>();
  const operations: BatchCommand[] = [];
  list.forEach((item, i) => {
    const operation = operationOf(api, request, item, i, names, fieldErrors);
    if (operation !== undefined) operations.push(operation);
  });
  return operations;
}

/** An operation as sent, after its schema was checked. */
interface Sent {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly as?: string;
  readonly if_match?: string;
  readonly merge?: boolean;
  readonly keep_places?: boolean;
  readonly id?: string;
  readonly before?: string | null;
  readonly to_artboard?: string;
}

const actionOf = { POST: 'create', PATCH: 'update', DELETE: 'delete' } as const;

function operationOf(
  api: Api,
  request: Request,
  item: unknown,
  index: number,
  names: Set<string>,
  fieldErrors: FieldErrorList,
): BatchCommand | undefined {
  const at = pointerTo('/operations', index);
  const before = fieldErrors.size;
  if (!checkShape(operationShape, item, at, fieldErrors)) return undefined;
  const sent = item as unknown as Sent;
  const { method, path, as, if_match, merge: isPatch = false, keep_places: keepPlaces = false } = sent;
  const place = placeOf(request, path);
  const { ids, body } = idsIn(sent, place?.target, at, api.engine.writer.context().now, fieldErrors);
  if (place === undefined) {
    const wanted = 'write "/popups", "/artboards/<id>/objects/<id>" or, for the project itself, "/"';
    const isPathThen = path.includes('?') && placeOf(request, path.slice(0, path.indexOf('?'))) !== undefined;
    fieldErrors.add(
      `${at}/path`,
      isPathThen ? 'must have no query; put "?strict=true" into the URL of the batch' : `is not a path in a project: ${wanted}`,
    );
  } else if (!place.methods.includes(method)) {
    const allowed =
      place.methods.length === 0
        ? 'is not possible in a batch: send it as a request of its own'
        : `must be ${place.methods.join(' or ')} at this path`;
    fieldErrors.add(`${at}/method`, allowed);
  }
  if (method === 'DELETE' && body !== undefined) fieldErrors.add(`${at}/body`, 'must be omitted for DELETE');
  const placement = placementIn(sent);
  if (method !== 'DELETE' && body === undefined && !(method === 'PATCH' && placement !== undefined))
    fieldErrors.add(`${at}/body`, 'is required: a JSON object, which may be empty ({})');
  if (keepPlaces && place !== undefined && !(method === 'PATCH' && (isArtboard(place.target) || sent.to_artboard !== undefined)))
    fieldErrors.add(`${at}/keep_places`, 'must be omitted, except for PATCH of an artboard, or with "to_artboard"');
  if (place !== undefined) checkPlacement(sent, place.target, at, fieldErrors);
  if (isPatch && method !== 'PATCH') fieldErrors.add(`${at}/merge`, 'must be omitted, except for PATCH');
  if (as !== undefined) checkName(as, method, `${at}/as`, names, fieldErrors);
  let precondition: Command['precondition'];
  try {
    precondition = if_match === undefined ? undefined : preconditionOf({ headers: { 'if-match': if_match } }, api);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    fieldErrors.add(
      `${at}/if_match`,
      'must be "*" or a comma-separated list of ETags in quotation marks, as in the ETag header of a response',
    );
  }
  if (place === undefined || fieldErrors.size > before) return undefined;
  const { target } = place;
  const action = actionOf[method];
  return {
    index,
    as,
    command:
      action === 'delete'
        ? { action, target, precondition }
        : {
            action,
            target,
            body: body ?? {},
            patch: isPatch ? { bytesMax: api.bodyBytesMax } : undefined,
            keepPlaces,
            ids,
            placement,
            fieldErrors: [],
            precondition,
          },
  };
}

const placementIn = ({ before, to_artboard: toArtboard }: Sent): Placement | undefined =>
  before === undefined && toArtboard === undefined ? undefined : { before, toArtboard };

function checkPlacement(
  { method, before, to_artboard: toArtboard }: Sent,
  target: Target,
  at: string,
  fieldErrors: FieldErrorList,
): void {
  const isMember = target.kind === 'member' && !isBesideDocument(target.path.collection);
  if (before !== undefined && (!isMember || method === 'DELETE'))
    fieldErrors.add(`${at}/before`, 'must be omitted, except for POST and PATCH of a member of an ordered collection');
  else if (before !== undefined && target.kind === 'member' && target.id !== '' && before === target.id)
    fieldErrors.add(`${at}/before`, 'is the member itself: name another one, or null for the last place');
  if (toArtboard !== undefined && !(method === 'PATCH' && target.kind === 'member' && target.path.collection === 'objects'))
    fieldErrors.add(`${at}/to_artboard`, 'must be omitted, except for PATCH of an object');
}

/** The identifiers that an operation gives, and its body without those of its elements. */
function idsIn(
  { method, id, body: sent }: Sent,
  target: Target | undefined,
  at: string,
  now: number,
  fieldErrors: FieldErrorList,
): { readonly ids: GivenIds | undefined; readonly body: Sent['body'] } {
  const check = (value: unknown, pointer: string): void => {
    const problem = value === undefined ? undefined : idProblem(value, now);
    if (problem !== undefined) fieldErrors.add(pointer, problem);
  };
  if (id !== undefined && method !== 'POST') fieldErrors.add(`${at}/id`, 'must be omitted, except for POST');
  else check(id, `${at}/id`);
  // A resource is sent back as it was read.
  const { id: own, ...others } = sent ?? {};
  const body = id !== undefined && own === id ? others : sent;
  const elements = method === 'POST' && target !== undefined && isArtboard(target) ? body?.['objects'] : undefined;
  const isGiven = Array.isArray(elements) && elements.some((element) => isObject(element) && Object.hasOwn(element, 'id'));
  if (!isGiven) return { ids: id === undefined ? undefined : { id }, body };
  const objects: (string | undefined)[] = [];
  const bodies = elements.map((element: unknown, i) => {
    const { id: given, ...rest } = isObject(element) ? element : {};
    check(given, pointerTo(pointerTo(`${at}/body/objects`, i), 'id'));
    objects.push(given as string | undefined);
    return isObject(element) ? rest : element;
  });
  return { ids: { id, objects }, body: { ...body, objects: bodies } };
}

const isArtboard = (target: Target): boolean => target.kind === 'member' && target.path.collection === 'artboards';

function checkName(as: string, method: string, at: string, names: Set<string>, fieldErrors: FieldErrorList): void {
  if (!/^[A-Za-z_]\w{0,63}$/.test(as))
    fieldErrors.add(at, 'must begin with a letter or _ and contain at most 64 letters, digits and _');
  else if (method === 'DELETE') fieldErrors.add(at, 'must be omitted for DELETE, which has no result');
  else if (names.has(as)) fieldErrors.add(at, 'is used by an earlier operation: choose another name');
  else names.add(as);
}

interface Place {
  readonly target: Target;
  readonly methods: readonly string[];
}

/** The collections of a project itself: those of its document, and those beside it. */
const ownCollections: readonly CollectionName[] = [...projects.collections.map(({ name }) => name), 'files', 'versions'];

/** By path segment. */
const segments = new Map(ownCollections.map((name) => [name.replaceAll('_', '-'), name]));

/** The paths of members below a project. */
const inProject = new RegExp(`^/(?:artboards/([^/]+)/(objects)|(${[...segments.keys()].join('|')}))(?:/([^/]+))?$`);

function placeOf(request: Request, path: string): Place | undefined {
  const { accountId, projectId } = request.scope;
  if (path === '/' || path === '') return { target: { kind: 'project', accountId, projectId }, methods: ['PATCH'] };
  const [all, artboard = '', objects, segment = '', member = ''] = inProject.exec(path) ?? [];
  if (all === undefined) return undefined;
  const collection = objects === undefined ? (segments.get(segment) as CollectionName) : 'objects';
  const parentId = decoded(artboard);
  const id = decoded(member);
  if (parentId === undefined || id === undefined) return undefined;
  const target: Target = { kind: 'member', path: { accountId, projectId, collection, parentId }, id };
  // The bytes of a file are no JSON, and a version takes more than one step.
  const creates = isBesideDocument(collection) ? [] : ['POST'];
  return { target, methods: member === '' ? creates : ['PATCH', 'DELETE'] };
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
