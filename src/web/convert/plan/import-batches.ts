/** The operations of a plan, in batches that the API accepts. */
import type { Body } from '../conversion.ts';
import type { ImportPlan } from './plan-import.ts';

export interface ImportOperation {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: Body;
  readonly as?: string;
  /** The body is a JSON Merge Patch. */
  readonly merge?: true;
}

export interface ImportBatch {
  readonly operations: readonly ImportOperation[];
  /** Whether the server keeps the state before it as a version. */
  readonly keep_version?: boolean;
}

export interface ExistingPopup {
  readonly id: string;
  readonly attachedTo: string;
}

const operationsMax = 1000;
/** Characters of the bodies of a batch, below the 5 MiB of a request and the 16 MiB of its results. */
const lengthMax = 2_500_000;
/** Corners of a batch: each is one of the 500,000 objects of a request. */
const cornersMax = 100_000;

/**
 * The batches of a plan: removals last, an object and its popups always in one batch.
 *
 * @param popups of the project: the first popup of an object is updated, those of removed objects are deleted
 */
export function* importBatches(
  plan: ImportPlan,
  artboardId: string,
  popups: readonly ExistingPopup[] = [],
): Generator<ImportBatch, undefined> {
  let operations: ImportOperation[] = [];
  let length = 0;
  let corners = 0;
  for (const group of groupsOf(plan, artboardId, popups)) {
    const groupLength = group.reduce((sum, { body }) => sum + lengthOf(body), 0);
    const groupCorners = group.reduce((sum, { body }) => sum + cornersOf(body), 0);
    const isFull =
      operations.length + group.length > operationsMax || length + groupLength > lengthMax || corners + groupCorners > cornersMax;
    if (isFull && operations.length > 0) {
      yield { operations };
      operations = [];
      [length, corners] = [0, 0];
    }
    operations.push(...group);
    length += groupLength;
    corners += groupCorners;
  }
  if (operations.length > 0) yield { operations };
}

function* groupsOf(
  plan: ImportPlan,
  artboardId: string,
  popups: readonly ExistingPopup[],
): Generator<readonly ImportOperation[]> {
  const path = `/artboards/${artboardId}/objects`;
  const popupsOf = new Map<string, string[]>();
  for (const { id, attachedTo } of popups) popupsOf.set(attachedTo, [...(popupsOf.get(attachedTo) ?? []), id]);
  for (const [i, { body, popups: bodies }] of plan.create.entries()) {
    const as = `object${i}`;
    const attached = bodies.map(
      (popup): ImportOperation => ({ method: 'POST', path: '/popups', body: { ...popup, attachedTo: `{${as}}` } }),
    );
    yield [{ method: 'POST', path, body, ...(bodies.length > 0 ? { as } : {}) }, ...attached];
  }
  for (const { id, body, popups: bodies } of plan.update) {
    const ids = popupsOf.get(id) ?? [];
    const attached = bodies.map((popup, i): ImportOperation => {
      const existing = ids[i];
      return existing === undefined
        ? { method: 'POST', path: '/popups', body: { ...popup, attachedTo: id } }
        : { method: 'PATCH', path: `/popups/${existing}`, body: popup };
    });
    yield [{ method: 'PATCH', path: `${path}/${id}`, body }, ...attached];
  }
  for (const { id } of plan.remove) {
    const attached = (popupsOf.get(id) ?? []).map((popup): ImportOperation => ({ method: 'DELETE', path: `/popups/${popup}` }));
    yield [...attached, { method: 'DELETE', path: `${path}/${id}` }];
  }
}

function cornersOf({ coords, holes }: Body = {}): number {
  const rings: readonly unknown[] = [coords, ...(Array.isArray(holes) ? holes : [])];
  return rings.reduce((sum: number, ring) => sum + (Array.isArray(ring) ? ring.length : 0), 0);
}

/** An estimate: a corner has two numbers of up to 18 digits and the names of its members. */
function lengthOf(body: Body = {}): number {
  let length = 100 + cornersOf(body) * 55;
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'string') length += value.length * 2 + 20;
    else length += name === 'properties' ? JSON.stringify(value).length + 20 : 30;
  }
  return length;
}
