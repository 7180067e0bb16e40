/** Refusals of the server in words: they name a value by a pointer into the request, which no user has seen. */
import type { ProblemError } from '../../client/client.ts';
import { texts } from '../console-texts.ts';

/** The first value that was refused, or else the reason. */
export function refusalText({ detail, errors }: Pick<ProblemError, 'detail' | 'errors'>): string {
  const [first] = errors;
  if (first === undefined || first.pointer === '') return detail;
  const member = first.pointer.split('/').findLast((part) => !/^(?:\d+|-|body|operations|)$/.test(part)) ?? '';
  return texts.saving.refused(member, first.detail);
}
