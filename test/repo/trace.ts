/**
 * The functions of `src` that one GET and one POST of a spot visit, in order. The inspector of a server finds them: precise coverage which
 * they are, breakpoints in which order they are visited first.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Test } from 'tap';
import { must, serve, temporaryFolder } from '../support/process.ts';
import { type InspectedThread, inspect } from './inspector.ts';

/** A function of `src`. */
export interface Visit {
  /** Path below `src`, without the ending. */
  readonly file: string;
  readonly name: string;
  /** Whether a thread other than the main one visits it. */
  readonly inWorker: boolean;
}

/** A function as a thread knows it: what the inspector needs for a breakpoint. */
interface Found extends Visit {
  readonly location: { readonly scriptId: string; readonly lineNumber: number; readonly columnNumber: number };
}

/** Requests of which each must visit a function, so that functions of timers, which run meanwhile, are left out. */
const repeats = 3;
/** Requests before the first one that counts: they fill caches. */
const warmUps = 3;

const compiled = path.join(import.meta.dirname, '..', '..', 'src');

export interface Traces {
  readonly get: readonly Visit[];
  readonly post: readonly Visit[];
}

/** Traces a server on a new data folder. Both go at the teardown. */
export async function traceRequests(t: Pick<Test, 'teardown'>): Promise<Traces> {
  const server = await serve(t, path.join(temporaryFolder(t), 'store'), [], undefined, {
    file: path.join(compiled, 'cli', 'mapwright.js'),
    env: { NODE_OPTIONS: '--inspect=127.0.0.1:0' },
  });
  const { id: project } = await must(server, 'POST', '/projects', { name: 'Trace' });
  const { id: artboard } = await must(server, 'POST', `/projects/${project}/artboards`, { name: 'Plan' });
  const objects = `/projects/${project}/artboards/${artboard}/objects`;
  const create = () => must(server, 'POST', objects, { type: 'spot', name: 'Door', x: 1, y: 2 });
  const { id: spot } = await create();
  const { threads, close } = await inspect(/ws:\S+/.exec(server.stderr)?.[0] ?? '');
  for (const thread of threads) {
    await thread.post('Profiler.enable');
    await thread.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }
  const get = await trace(threads, () => must(server, 'GET', `${objects}/${spot}`));
  const post = await trace(threads, create);
  close();
  return { get, post };
}

type Request = () => Promise<unknown>;

async function trace(threads: readonly InspectedThread[], request: Request): Promise<Visit[]> {
  const take = () => Promise.all(threads.map((thread, i) => takeCoverage(thread, i > 0)));
  for (let i = 0; i < warmUps; i++) await request();
  await take();
  await request();
  const found = await take();
  for (let i = 1; i < repeats; i++) {
    await request();
    const again = await take();
    found.forEach((all, thread) => {
      for (const place of all.keys()) if (!again[thread]?.has(place)) all.delete(place);
    });
  }
  const visits: Visit[] = [];
  for (const [i, thread] of threads.entries())
    await stopAtEach(thread, [...(found[i]?.values() ?? [])], (visit) => visits.push(visit));
  await request();
  for (const thread of threads) {
    thread.on('Debugger.paused', () => undefined);
    await thread.post('Debugger.disable');
  }
  return visits;
}

/** The functions with names that a thread visited since the last call, by file and offset. */
async function takeCoverage(thread: InspectedThread, inWorker: boolean): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  const sources = `${pathToFileURL(compiled)}/`;
  const coverage = await thread.post('Profiler.takePreciseCoverage');
  for (const { scriptId, url, functions } of coverage?.result ?? []) {
    if (!url.startsWith(sources)) continue;
    const file = url.slice(sources.length).replace(/\.js$/, '');
    for (const { functionName: name, ranges } of functions) {
      const [{ startOffset, count }] = ranges;
      // A module and an argument of a call have no name; initial values of a class are called <instance_members_initializer>.
      if (count === 0 || name === '' || name.startsWith('<')) continue;
      const location = { scriptId, ...positionOf(url, startOffset) };
      found.set(`${file}:${startOffset}`, { file, name, inWorker, location });
    }
  }
  return found;
}

const texts = new Map<string, string>();

/** Line and column of an offset in a module, from 0. */
function positionOf(url: string, offset: number) {
  const text = texts.get(url) ?? fs.readFileSync(fileURLToPath(url), 'utf8');
  texts.set(url, text);
  const lines = text.slice(0, offset).split('\n');
  return { lineNumber: lines.length - 1, columnNumber: lines.at(-1)?.length ?? 0 };
}

/** Calls `onVisit` when a function is visited first. */
async function stopAtEach(thread: InspectedThread, found: readonly Found[], onVisit: (visit: Visit) => void): Promise<void> {
  const breakpoints = new Map<string, Found>();
  thread.on('Debugger.paused', ({ hitBreakpoints, callFrames }) => {
    // A timer of the server is no part of the request, which may still visit the same function.
    const isRequest = callFrames.at(-1).functionName !== 'processTimers';
    for (const breakpointId of isRequest ? hitBreakpoints : []) {
      const visited = breakpoints.get(breakpointId);
      if (visited !== undefined) onVisit(visited);
      breakpoints.delete(breakpointId);
      void thread.post('Debugger.removeBreakpoint', { breakpointId });
    }
    void thread.post('Debugger.resume');
  });
  await thread.post('Debugger.enable');
  for (const one of found) {
    const { breakpointId } = await thread.post('Debugger.setBreakpoint', { location: one.location });
    breakpoints.set(breakpointId, one);
  }
}
