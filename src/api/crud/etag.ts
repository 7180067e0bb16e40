/**
 * Entity tags and conditional requests (RFC 9110, 8.8.3 and 13).
 *
 * A tag is strong: the lineage, the run and the LSN of the newest change that the response shows, and the query. No content is hashed.
 * Versions survive a restart. A history that may have lost changes gets another lineage, and an old copy of the folder that continues has
 * other runs, so a tag never names different bytes.
 *
 * A write compares versions, so the tag of any form of a resource (some of its fields, another coding) matches; a read compares the whole
 * tag.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Precondition } from '../../engine/command.ts';
import { type Problem, problems } from '../../http/problem.ts';
import { uncodedTag } from '../../http/response/compression.ts';
import type { Reply } from '../../http/response/reply.ts';
import type { Scope } from '../authorize.ts';
import type { Api, Request } from '../declaration.ts';

/** Maximum length of a query in a tag, in characters; a longer one is replaced by its digest. */
const queryLengthMax = 512;

/** @param version LSN of the newest change of the shown content */
export function etagOf(api: Api, { url, query, scope }: Request, version: number): string {
  const part = url.includes('?') ? `-${queryPart(new URLSearchParams(query).toString())}` : '';
  return `"${api.engine.versions.nameOf(version)}${keyPart(scope)}${api.tagPart?.() ?? ''}${part}"`;
}

/** In the tag of objects with their places. */
const placesPart = /[-&]places=true(?:[-&]|$)/;

/** The part of a tag for a query. */
function queryPart(query: string): string {
  return query.length <= queryLengthMax ? query : createHash('sha256').update(query).digest('base64url');
}

/** The tag that a GET of the whole resource returns at a version: for the response to the write that made it. */
export function etagWritten(api: Api, { scope }: Request, version: number): string {
  return `"${api.engine.versions.nameOf(version)}${keyPart(scope)}"`;
}

/** The part of a tag for what the shown content depends on: who reads only sees no secrets, who is restricted only their projects. */
function keyPart({ reach, readOnly }: Scope): string {
  if (reach !== '') return `-${reach}`;
  return readOnly ? '-read' : '';
}

const listOfTags = /^[\t ]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[\t ]*,[\t ]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[\t ]*$/;
const eachTag = /(W\/)?"([^"]*)"/g;

/**
 * The precondition of a write on the version of its target (for a POST: of the list); `undefined` for none. Throws a 400 problem for a
 * malformed condition: ignoring it could overwrite the unseen change of another client.
 */
export function preconditionOf({ headers }: Pick<Request, 'headers'>, api: Api): Precondition | undefined {
  const match = headers['if-match'];
  const noneMatch = headers['if-none-match'];
  if (match === undefined && noneMatch === undefined) return undefined;
  const required = match === undefined ? undefined : conditionOf(match, 'If-Match');
  const unwanted = noneMatch === undefined ? undefined : conditionOf(noneMatch, 'If-None-Match');
  return (version, placesVersion = version) => {
    const here = api.engine.versions.nameOf(version);
    const withPlaces = placesVersion === version ? here : api.engine.versions.nameOf(placesVersion);
    const isThere = (tag: string): boolean => tag === here || tag.startsWith(`${placesPart.test(tag) ? withPlaces : here}-`);
    if (required !== undefined && !holds(required, isThere, 'strongly')) return false;
    return unwanted === undefined || !holds(unwanted, isThere, 'weakly');
  };
}

/**
 * Evaluates the preconditions of a GET: 304 if the client has the current version, `undefined` to continue. Throws a 412 problem if
 * `If-Match` fails.
 */
export function evaluatePreconditions(headers: IncomingHttpHeaders, etag: string): Reply | undefined {
  const match = headers['if-match'];
  const noneMatch = headers['if-none-match'];
  if (match === undefined && noneMatch === undefined) return undefined;
  const here = etag.slice(1, -1);
  const isThere = (tag: string): boolean => tag === here || uncodedTag(tag) === here;
  if (match !== undefined && !holds(conditionOf(match, 'If-Match'), isThere, 'strongly')) {
    throw problems.preconditionFailed(
      'The current version does not match If-Match. Read the resource and retry with its new ETag.',
    );
  }
  if (noneMatch === undefined) return undefined;
  // A malformed `If-None-Match` only costs a response that the client did not need.
  const known = noneMatch.trim() === '*' ? 'any' : tagsIn(noneMatch);
  return holds(known, isThere, 'weakly') ? { kind: 'empty', status: 304, etag } : undefined;
}

/**
 * The reply to a GET, or 304 with `headers` if the client has it already. Throws as {@link evaluatePreconditions}.
 *
 * @param reply made only if it is needed
 */
export function conditional<R extends Reply | Promise<Reply>>(
  request: Pick<Request, 'headers'>,
  etag: string,
  headers: Readonly<Record<string, string>>,
  reply: () => R,
): R | Reply {
  const decided = evaluatePreconditions(request.headers, etag);
  return decided === undefined ? reply() : { ...decided, headers };
}

/** The tag of content that has no version. */
export function etagOfContent(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return `"${hash.digest('base64url')}"`;
}

/** The problem for a write whose precondition fails. */
export function preconditionFailed(): Problem {
  return problems.preconditionFailed(
    'The current version does not satisfy If-Match or If-None-Match. Nothing was changed. Read the resource and retry with its new ETag.',
  );
}

interface Tag {
  /** Without its quotation marks. */
  readonly tag: string;
  readonly weak: boolean;
}

type Condition = readonly Tag[] | 'any';

/** Whether one of the tags matches. In a strong comparison a weak tag never does. */
function holds(condition: Condition, isThere: (tag: string) => boolean, compared: 'strongly' | 'weakly'): boolean {
  return condition === 'any' || condition.some(({ tag, weak }) => !(weak && compared === 'strongly') && isThere(tag));
}

function conditionOf(value: string, name: string): Condition {
  if (value.trim() === '*') return 'any';
  if (!listOfTags.test(value)) {
    throw problems.badHeader(
      name,
      `${name} must be "*" or a comma-separated list of ETags in quotation marks, as in the ETag header of a response.`,
    );
  }
  return tagsIn(value);
}

function tagsIn(value: string): readonly Tag[] {
  return Array.from(value.matchAll(eachTag), ([, weak, tag = '']) => ({ tag, weak: weak !== undefined }));
}
