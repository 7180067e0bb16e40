/** Views as JSON, in parts: a project of any size is written without ever being one string. */
import type { Reply } from '../http/reply.ts';
import type { CollectionName } from '../model/resource.ts';
import type { Fields, View } from '../store/view.ts';
import type { JsonCache } from './json-cache.ts';

type Parts = Generator<string | Buffer, void>;

/** 200 with one resource. */
export function replyOne(view: View, fields: Fields, cache: JsonCache): Reply {
  if (view.member !== undefined && view.held.size === 0 && fields === undefined && view.resource.collections.length === 0) {
    return { status: 200, json: cache.json(view.member) };
  }
  return { status: 200, stream: one(view, fields, cache) };
}

/** 200 with a list; `next` is the address of the next page. */
export function replyList(views: Iterable<View>, fields: Fields, cache: JsonCache, next: string | undefined): Reply {
  const stream = list(views, fields, cache);
  return next === undefined ? { status: 200, stream } : { status: 200, stream, headers: { Link: `<${next}>; rel="next"` } };
}

function* list(views: Iterable<View>, fields: Fields, cache: JsonCache): Parts {
  let separator = '[';
  for (const view of views) {
    yield separator;
    yield* one(view, fields, cache);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

function* one(view: View, fields: Fields, cache: JsonCache): Parts {
  const { resource, value, member, held } = view;
  if (fields === undefined && member !== undefined && resource.collections.length === 0) {
    yield cache.json(member);
    return;
  }
  let text = '';
  let separator = '{';
  for (const name of resource.members) {
    if (fields !== undefined && name !== 'id' && !fields.has(name)) continue;
    text += `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    const elements = held.get(name as CollectionName);
    if (elements === undefined) {
      text += JSON.stringify(value[name]);
    } else {
      yield text;
      yield* list(elements, undefined, cache);
      text = '';
    }
  }
  yield `${text}}`;
}
