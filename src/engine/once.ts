/**
 * Requests that are carried out once, however often they come: the first answer goes into the log with the change that it tells of, so
 * that it is given again whatever happened since, a crash included.
 */
import { deflateRawSync } from 'node:zlib';
import { AnswersFullError, AnswerTooLargeError } from '../lib/errors.ts';
import { type StoredAnswer, weighAnswer } from '../model/answer.ts';
import type { Change } from '../model/change.ts';
import type { FaultList } from '../model/check.ts';
import type { Remembered } from '../store/answers.ts';
import type { State } from '../store/state.ts';
import { type Command, type Context, type Decision, type Once, projectOf, type Remember, type Target } from './command.ts';
import { decide } from './decide.ts';
import type { Building } from './project-builder.ts';
import { Stage } from './stage.ts';

/** What became of a request that is to be carried out once. */
export type Repeated<T> =
  | { readonly outcome: 'first'; readonly result: T }
  | { readonly outcome: 'again'; readonly answer: Remembered }
  /** The key was used for another request. */
  | { readonly outcome: 'other' }
  /** The first is not answered yet. */
  | { readonly outcome: 'in flight' };

/** JSON in one piece of the stored answer, in bytes: what is deflated in one go. */
const pieceBytes = 64 * 1024;
/** The longest answer that is remembered, in bytes of JSON. */
const jsonBytesMax = 64 * 1024 * 1024;

/** Decides a command, and with it the answer that is to be given again. Parameters as those of {@link decide}. */
export function* decideOnce(
  state: State,
  command: Command,
  remember: Remember<Target>,
  faults: FaultList,
  context: Context,
): Generator<void, Decision> {
  const decision = yield* decide(state, command, faults, context);
  if (decision.outcome !== 'done') return decision;
  const { accountId, projectId } = projectOf(command.target);
  const stage = new Stage(state, accountId, projectId);
  stage.apply(decision.changes);
  const answer = yield* remembering(state, accountId, remember, remember.write(stage.state, decision.target), context);
  return { ...decision, changes: [...decision.changes, answer] };
}

/** A project that was built, and with it the answer that is to be given again. */
export function* builtOnce(
  state: State,
  accountId: string,
  build: Generator<void, Building>,
  remember: Remember<Target>,
  context: Context,
): Generator<void, Building> {
  const building = yield* build;
  if (building.outcome !== 'built') return building;
  const { projectId, record } = building;
  const stage = new Stage(state, accountId, '');
  for (const change of record.changes) {
    stage.apply([change]);
    yield;
  }
  const json = remember.write(stage.state, { kind: 'project', accountId, projectId });
  record.add(yield* remembering(state, accountId, remember, json, context));
  return building;
}

/**
 * The change that remembers an answer. Throws {@link AnswersFullError} and {@link AnswerTooLargeError}.
 *
 * @param version what it shows, where nothing else is changed
 */
export function* remembering(
  state: State,
  accountId: string,
  { key, digest }: Once,
  json: Iterable<string | Buffer>,
  { now, answersBytesMax }: Context,
  version?: number,
): Generator<void, Change> {
  const body = yield* deflated(json);
  const answer: StoredAnswer = { key, digest, time: now, status: 200, body, ...(version === undefined ? {} : { version }) };
  const waitMs = state.accounts.get(accountId)?.answers.waitMs(weighAnswer(answer), answersBytesMax, now) ?? 0;
  if (waitMs > 0) throw new AnswersFullError(Math.ceil(waitMs / 1000));
  return { op: 'put-answer', accountId, answer };
}

function* deflated(json: Iterable<string | Buffer>): Generator<void, Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let bytes = 0;
  const end = (): void => {
    pieces.push(deflateRawSync(Buffer.concat(waiting), { level: 1 }));
    waiting = [];
    waitingBytes = 0;
  };
  for (const part of json) {
    const buffer = Buffer.from(part);
    for (let at = 0; at < buffer.byteLength; at += pieceBytes) {
      const piece = buffer.subarray(at, at + pieceBytes);
      waiting.push(piece);
      waitingBytes += piece.byteLength;
      bytes += piece.byteLength;
      if (waitingBytes < pieceBytes) continue;
      end();
      if (bytes > jsonBytesMax) throw new AnswerTooLargeError(`an answer of more than ${jsonBytesMax} bytes is not remembered`);
      yield;
    }
  }
  if (waiting.length > 0) end();
  return pieces;
}
