/** Views as JSON, in parts: a project of any size is written without ever being one string. */
import type { Reply } from '../http/reply.ts';
import type { CollectionName } from '../model/resource.ts';
import type { Fields, View } from '../store/view.ts';
import type { JsonCache } from './json-cache.ts';

type Parts = Generator<string | Buffer, void>;

/** 200 with one resource. */
export function replyOne(view: View, fields: Fields, cache: JsonCache): Reply {
  const json = atHand(view, fields, cache);
  return json === undefined ? { status: 200, stream: one(view, fields, cache) } : { status: 200, json };
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
  const json = atHand(view, fields, cache);
  if (json !== undefined) {
    yield json;
    return;
  }
  const { resource, value, held } = view;
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

/** The whole of a member that holds nothing is one piece, and perhaps known. */
function atHand({ resource, member }: View, fields: Fields, cache: JsonCache): Buffer | undefined {
  return member !== undefined && fields === undefined && resource.collections.length === 0 ? cache.json(member) : undefined;
}
