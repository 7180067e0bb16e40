/** Attacks with publications, and with documents that refer to what does not exist. */
import { randomBytes } from 'node:crypto';
import { ask, call, type Target } from '../lib/ask.ts';
import { type Attack, type Sizes, type Statuses, send } from './attack.ts';
import { publishMap } from './published-map.ts';

const clients = 16;
/** Text of one popup: less than a segment of the log. */
const contentBytes = 1024 * 1024;

export const publicationAttacks: readonly Attack[] = [
  { name: 'unchanged-publications', what: 'asks for its unchanged publications', goal: { atMost: 50 }, prepare: unchangedLists },
  { name: 'publications', what: 'asks for all of its publications', goal: { atMost: 50 }, prepare: lists },
  { name: 'republish', what: 'publishes a large map over and over', goal: { atMost: 100 }, prepare: republications },
  { name: 'dangling', what: 'asks for many dangling references', goal: { atMost: 100 }, prepare: dangling },
  {
    name: 'readers',
    what: 'reads a large published map thirty times at once, without gzip',
    goal: { atMost: 50 },
    prepare: mapReaders,
  },
];

async function manyPublications(target: Target, count: number): Promise<string> {
  let left = count;
  const publish = async (): Promise<void> => {
    while (left-- > 0) {
      const { id } = await call(target, 'POST', '/projects', {});
      await call(target, 'PUT', `/projects/${id}/publication`);
    }
  };
  await Promise.all(Array.from({ length: clients }, publish));
  const { rawHeaders } = await ask(target, { method: 'GET', path: '/publications' });
  return rawHeaders[rawHeaders.findIndex((name) => name.toLowerCase() === 'etag') + 1] ?? '';
}

async function unchangedLists(target: Target, { publications }: Sizes) {
  return listsWith(target, { 'if-none-match': await manyPublications(target, publications) });
}

async function lists(target: Target, { publications }: Sizes) {
  await manyPublications(target, publications);
  return listsWith(target, {});
}

function listsWith(target: Target, headers: Readonly<Record<string, string>>) {
  const request = { method: 'GET', path: '/publications' };
  return (signal: AbortSignal, statuses: Statuses) =>
    Promise.all(Array.from({ length: clients }, () => send(target, request, signal, statuses, undefined, headers)));
}

/** A map that hardly shrinks, with a change before each publication. */
async function republications(target: Target, { publishedBytes }: Sizes) {
  const { id } = await call(target, 'POST', '/projects', {});
  // Base64 has four characters for three random bytes, and compresses to these.
  for (let left = publishedBytes; left > 0; left -= contentBytes) {
    const content = randomBytes(Math.min(left, contentBytes)).toString('base64');
    await call(target, 'POST', `/projects/${id}/popups`, { content });
  }
  let turn = 0;
  return async (signal: AbortSignal, statuses: Statuses) => {
    await send(
      target,
      { method: 'PATCH', path: `/projects/${id}`, body: JSON.stringify({ name: `${++turn}` }) },
      signal,
      new Map(),
    );
    await send(target, { method: 'PUT', path: `/projects/${id}/publication` }, signal, statuses);
  };
}

async function dangling(target: Target, { dangling: count }: Sizes) {
  const popups = Array.from({ length: count }, (_, i) => ({
    attachedTo: `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`,
  }));
  const { id } = await call(target, 'POST', '/projects/import', { format: 'mapwright-project', version: 1, project: { popups } });
  const request = { method: 'GET', path: `/projects/${id}/problems` };
  return (signal: AbortSignal, statuses: Statuses) => send(target, request, signal, statuses);
}

/** Thirty clients that read as fast as they can. */
async function mapReaders(target: Target, { bodyBytes }: Sizes) {
  const path = await publishMap(target, bodyBytes);
  const origin = { ...target, url: new URL(target.url).origin };
  return (signal: AbortSignal, statuses: Statuses) =>
    Promise.all(Array.from({ length: 30 }, () => send(origin, { method: 'GET', path }, signal, statuses)));
}
