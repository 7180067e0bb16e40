/**
 * Conditional requests (RFC 9110, 13): what a client has seen, against what there is. A write compares versions, so that a tag of any
 * form of a resource (some of its fields, another coding) will do; a read compares the whole tag.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Precondition } from '../../engine/command.ts';
import { type Problem, problems } from '../../http/problem.ts';
import { uncodedTag } from '../../http/response/compression.ts';
import type { Reply } from '../../http/response/reply.ts';
import type { Api, Request } from '../declaration.ts';
import { versionTag } from './etag.ts';

const listOfTags = /^[\t ]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[\t ]*,[\t ]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[\t ]*$/;
const eachTag = /(W\/)?"([^"]*)"/g;

/**
 * What a write asks of the version of what it would change (a POST: of the list that it would add to); `undefined` for nothing. Throws a
 * 400 problem for a condition that is none: to ignore it would be to overwrite unseen what somebody else wrote.
 */
export function preconditionOf({ headers }: Pick<Request, 'headers'>, api: Api): Precondition | undefined {
  const match = headers['if-match'];
  const noneMatch = headers['if-none-match'];
  if (match === undefined && noneMatch === undefined) return undefined;
  const wanted = match === undefined ? undefined : conditionOf(match, 'If-Match');
  const unwanted = noneMatch === undefined ? undefined : conditionOf(noneMatch, 'If-None-Match');
  return (version) => {
    const here = versionTag(api, version);
    const isThere = (tag: string): boolean => tag === here || tag.startsWith(`${here}-`);
    if (wanted !== undefined && !holds(wanted, isThere, 'strongly')) return false;
    return unwanted === undefined || !holds(unwanted, isThere, 'weakly');
  };
}

/**
 * The answer to a GET whose tag is known, when its conditions decide it: 304 for what the client has already. Throws a 412 problem when
 * an `If-Match` does not hold.
 */
export function evaluatePreconditions(headers: IncomingHttpHeaders, etag: string): Reply | undefined {
  const match = headers['if-match'];
  const noneMatch = headers['if-none-match'];
  if (match === undefined && noneMatch === undefined) return undefined;
  const here = etag.slice(1, -1);
  const isThere = (tag: string): boolean => tag === here || uncodedTag(tag) === here;
  if (match !== undefined && !holds(conditionOf(match, 'If-Match'), isThere, 'strongly')) throw preconditionFailed();
  if (noneMatch === undefined) return undefined;
  // One that is no condition costs an answer that was not needed, and nothing else.
  const known = noneMatch.trim() === '*' ? 'any' : tagsIn(noneMatch);
  return holds(known, isThere, 'weakly') ? { status: 304, etag } : undefined;
}

/** A write, or a read, that asked for another version than there is. */
export function preconditionFailed(): Problem {
  return problems.preconditionFailed(
    'It is not in the version that the request asks for. Nothing was changed. Read it again, and send the ETag that comes with it.',
  );
}

interface Tag {
  /** Without its quotation marks. */
  readonly tag: string;
  readonly weak: boolean;
}

type Condition = readonly Tag[] | 'any';

/** Whether one of the tags is there; compared strongly, a weak one never is. */
function holds(condition: Condition, isThere: (tag: string) => boolean, compared: 'strongly' | 'weakly'): boolean {
  return condition === 'any' || condition.some(({ tag, weak }) => !(weak && compared === 'strongly') && isThere(tag));
}

function conditionOf(value: string, name: string): Condition {
  if (value.trim() === '*') return 'any';
  if (!listOfTags.test(value)) {
    throw problems.badRequest(
      `The header ${name} must be an ETag as it was sent, in its quotation marks, or several with commas between, or *.`,
    );
  }
  return tagsIn(value);
}

function tagsIn(value: string): readonly Tag[] {
  return Array.from(value.matchAll(eachTag), ([, weak, tag = '']) => ({ tag, weak: weak !== undefined }));
}
