/**
 * The worker thread that evaluates: it parses project and responses, and makes the bytes of the result. Its priority is low: on one core, a
 * request of another client would otherwise wait for its time slices.
 */
import { gunzipSync } from 'node:zlib';
import { jsonDepthMax, nestsDeeper } from '../../lib/json/json.ts';
import { takePriority } from '../../lib/threads/priority.ts';
import { threadNumber } from '../../lib/threads/processor-time.ts';
import { type ThreadResult, toResult } from '../../lib/threads/thread-result.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import type { LiveProject } from '../evaluate/evaluation.ts';
import { member, type OpenObject } from '../evaluate/open-json.ts';
import { hasUnusableResponse } from '../evaluate/unusable-responses.ts';
import type { EvaluationTask, PublicEvaluation } from './evaluation-task.ts';
import { publicEvaluation } from './public-evaluation.ts';

/** Starts the thread, loads its modules and lowers its priority. */
export type WarmUp = { readonly kind: 'warm-up' };

export default function evaluateInWorker(
  task: EvaluationTask | WarmUp,
): ThreadResult<Uint8Array | PublicEvaluation | number | undefined> {
  return toResult(() => {
    if (task.kind === 'warm-up') {
      takePriority('low');
      return threadNumber();
    }
    const responses = Object.fromEntries(
      Object.entries(task.responses).flatMap(([id, json]) => {
        const value = parsed(json);
        return value === undefined ? [] : [[id, value]];
      }),
    );
    if (task.kind === 'project') {
      const project = JSON.parse(textOf(task.project)) as LiveProject;
      return sharedBytesOf(JSON.stringify(evaluate(project, responses, task)));
    }
    const [map, rules] = [task.map, task.rules].map((bytes) => JSON.parse(gunzipSync(bytes).toString()) as OpenObject);
    const icons = map === undefined ? undefined : member(map, 'icons');
    const project = { ...map, ...rules };
    const made = evaluate(project, responses, task);
    const isUnusable = hasUnusableResponse(project, responses, made.values);
    return publicEvaluation(made, task, new Set(Object.keys(icons ?? {})), isUnusable);
  });
}

const textOf = (json: string | Uint8Array): string => (typeof json === 'string' ? json : Buffer.from(json).toString());

/** A response; `undefined` if it is no JSON, or nested so deeply that the result could not be written as JSON. */
function parsed(json: string): unknown {
  if (nestsDeeper(json, jsonDepthMax)) return undefined;
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/** UTF-8 in memory that threads share: the main thread would copy other bytes, and no request would run meanwhile. */
function sharedBytesOf(text: string): Uint8Array {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)));
  bytes.write(text);
  return bytes;
}
