/** Changes what a public evaluation says of its data sources, when no other evaluation can be made. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { SourcesState } from '../sources/source-freshness.ts';
import type { PublicEvaluation } from './evaluation-task.ts';

const [unzip, zip] = [promisify(gunzip), promisify(gzip)];

/** Bytes that the members before `objects` have at most. */
const headBytesMax = 512;

/** The same result with another state. Threads of the process decompress and compress it: it may have megabytes. */
export async function restated(former: PublicEvaluation, state: SourcesState): Promise<PublicEvaluation> {
  const { gzip, digest } = former;
  const json = await unzip(gzip);
  const head = json.toString('latin1', 0, headBytesMax);
  const [before = '', members = ''] = /^\{"version":\d+,"at":"[^"]*",(.*?)(?=,"objects":)/.exec(head) ?? [];
  const kept = before.length - members.length;
  const changed = Buffer.concat([json.subarray(0, kept), Buffer.from(membersOf(state)), json.subarray(before.length)]);
  return {
    ...former,
    state,
    gzip: await zip(changed),
    jsonBytes: changed.length,
    digest: createHash('sha256')
      .update(`${digest},${membersOf(state)}`)
      .digest('hex'),
  };
}

/** The members of a state as in JSON, without braces. */
export const membersOf = (state: SourcesState): string => JSON.stringify(state).slice(1, -1);
