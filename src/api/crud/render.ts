/** Views as JSON, in parts: a project of any size is written without ever being one string. */
import type { Reply, ReplyHead } from '../../http/response/reply.ts';
import type { CollectionName } from '../../model/resource.ts';
import type { Body } from '../../model/value.ts';
import type { Fields, MemberViews, View, Views } from '../../store/list/views.ts';
import type { Member } from '../../store/member.ts';
import type { Computed } from '../places/object-places.ts';
import type { ShownJson } from './json-cache.ts';

type JsonParts = Generator<string | Buffer, void>;

/** Characters of a list per part. */
const partLength = 16 * 1024;

/** 200 with one resource. @param computed makes members that are not stored */
export function replyOne(view: View, fields: Fields, cache: ShownJson, etag: string, computed?: Computed): Reply {
  const json = computed === undefined ? cachedJson(view, fields, cache) : undefined;
  return json === undefined
    ? { kind: 'stream', status: 200, etag, stream: one(view, fields, cache, computed) }
    : { kind: 'json', status: 200, etag, json };
}

/**
 * 200 with a resource that was just written. Its JSON is not cached: written resources are seldom read again soon, and a text that lives
 * only until the response is sent costs the garbage collector nothing.
 */
export function replyWritten(view: View, fields: Fields, cache: ShownJson, etag: string): Reply {
  return fields === undefined && isFlat(view)
    ? { kind: 'json', status: 200, etag, json: view.resource.json(cache.value(view.resource, view.value)) }
    : { kind: 'stream', status: 200, etag, stream: one(view, fields, cache) };
}

/**
 * 200 with a list.
 *
 * @param held memory that only the views hold
 * @param computed makes members that are not stored
 */
export function replyList(
  views: Views,
  fields: Fields,
  cache: ShownJson,
  head: ReplyHead,
  held?: { readonly bytes: number },
  computed?: Computed,
): Reply {
  const json = computed === undefined ? cachedListJson(views, fields, cache) : undefined;
  return json === undefined
    ? { kind: 'stream', ...head, stream: list(views, fields, cache, computed), held }
    : { kind: 'json', ...head, json };
}

/**
 * The head of a reply with a list.
 *
 * @param next URL of the next page
 * @param total number of members on all pages
 */
export function pageHead(etag: string, next: string | undefined, total?: number): ReplyHead {
  if (next === undefined && total === undefined) return { status: 200, etag };
  const link = next === undefined ? {} : { Link: `<${next}>; rel="next"` };
  return { status: 200, etag, headers: total === undefined ? link : { ...link, 'X-Total-Count': String(total) } };
}

function list(views: Views, fields: Fields, cache: ShownJson, computed?: Computed): JsonParts {
  const isWhole = fields === undefined && computed === undefined;
  return 'leaves' in views && isWhole ? wholeMembers(views, cache) : listOf(views, fields, cache, computed);
}

/** Members without collections, with all their fields: their JSON, one after the other. */
function* wholeMembers({ resource, leaves }: MemberViews, cache: ShownJson): JsonParts {
  let text = '[';
  let first = true;
  for (const { members } of leaves) {
    for (const member of members) {
      if (first) first = false;
      else text += ',';
      text += cache.json(resource, member);
      if (text.length < partLength) continue;
      yield text;
      text = '';
    }
  }
  yield `${text}]`;
}

/** A list of small values that are no resources. */
export function* rows<T>(all: Iterable<T>, shown: (each: T) => object): JsonParts {
  let text = '[';
  let separator = '';
  for (const each of all) {
    text += separator + JSON.stringify(shown(each));
    separator = ',';
    if (text.length < partLength) continue;
    yield text;
    text = '';
  }
  yield `${text}]`;
}

function* listOf(views: Iterable<View>, fields: Fields, cache: ShownJson, computed?: Computed): JsonParts {
  let separator = '[';
  for (const view of views) {
    yield separator;
    yield* one(view, fields, cache, computed);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

/** A resource as JSON. @param computed makes members that are not stored */
export function* one(view: View, fields: Fields, cache: ShownJson, computed?: Computed): JsonParts {
  const json = cachedJson(view, fields, cache);
  if (json !== undefined) {
    yield computed === undefined ? json : `${json.slice(0, -1)}${computedJson(computed(view.value), undefined)}}`;
    return;
  }
  const { resource, held } = view;
  const value = cache.value(resource, view.value);
  let text = '';
  let separator = '{';
  for (const name of resource.members) {
    if (fields !== undefined && name !== 'id' && !fields.has(name)) continue;
    const elements = held.get(name as CollectionName);
    if (elements === undefined && value[name] === undefined) continue;
    text += `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (elements === undefined) {
      text += JSON.stringify(value[name]);
    } else {
      yield text;
      const known = cachedListJson(elements, undefined, cache);
      if (known === undefined) yield* list(elements, undefined, cache);
      else yield known;
      text = '';
    }
  }
  if (computed !== undefined) text += computedJson(computed(value), fields);
  yield `${text}}`;
}

/** JSON of more members of an object that has some before them. */
function computedJson(members: Body, fields: Fields): string {
  let text = '';
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined && (fields === undefined || fields.has(name)))
      text += `,${JSON.stringify(name)}:${JSON.stringify(value)}`;
  }
  return text;
}

/** The JSON of a whole member without collections, possibly from the cache; otherwise `undefined`. */
function cachedJson(view: View, fields: Fields, cache: ShownJson): string | undefined {
  return fields === undefined && isFlat(view) ? cache.json(view.resource, view.member) : undefined;
}

/** The same for a list. */
function cachedListJson(views: Views, fields: Fields, cache: ShownJson): Buffer | undefined {
  return fields === undefined && 'leaves' in views && views.capture !== undefined
    ? cache.list(views.resource, views.capture)
    : undefined;
}

function isFlat(view: View): view is View & { readonly member: Member } {
  return view.member !== undefined && view.resource.collections.length === 0;
}
