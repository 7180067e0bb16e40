/**
 * `mapwright demo`: loads the projects of data/examples into a running server, over the same API that everybody uses.
 *
 * An example cannot hold identifiers, which only the server makes: it holds `kind:name` in their place ("object:France", see
 * data/examples/README.md). So a project takes two requests: POST it, read the identifiers from the answer; then one PATCH, which
 * is one atomic change, puts them where they belong.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { progress } from '@clack/prompts';
import { plural } from './words.ts';

/** What can be put right by whoever reads the message. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}

export interface DemoOptions {
  /** Address of the server, with or without `/api/v1`. */
  url: string;
  key: string;
  /** Folder of the examples; this package's own by default. */
  folder?: string;
  /** Write the result as JSON, and nothing else. */
  json?: boolean;
  /** Standard output by default. A terminal gets a progress bar, anything else plain lines. */
  out?: NodeJS.WritableStream;
}

export interface DemoProject {
  /** Name of the example's file. */
  file: string;
  id: string;
  name: string;
  artboards: { id: string; name: string; objects: number }[];
  /** Identifier of the first popup, if there is one. */
  popup?: string;
  counts: { artboards: number; objects: number; popups: number; data_sources: number; variables: number; actions: number };
  /** Members that the second request gave the identifiers they refer to. */
  linked: number;
  seconds: number;
}

export interface DemoResult {
  /** Root of the API that was used. */
  url: string;
  projects: DemoProject[];
  /** Shell lines that show what was made. */
  next: string[];
}

export interface DemoClient {
  /** Root of the API: `http://127.0.0.1:8070/api/v1`. */
  url: string;
  key: string;
  /** Told before a wait that the server asked for. */
  onWait?: (status: number, seconds: number) => void;
  /** Sleeps; milliseconds. */
  sleep?: (ms: number) => Promise<unknown>;
}

const answerWithinMs = 120_000;
const longestWaitS = 60;
const waitsMax = 10;

const collections = ['artboards', 'popups', 'data_sources', 'variables', 'actions'] as const;
type Collection = (typeof collections)[number];

type Member = { [name: string]: unknown };
type Made = Member & { id: string };
/** A project as sent, or as the server answers. */
type Project<M extends Member> = Partial<Record<Collection, M[]>> & { name?: string };

// ---- the API

/** Root of the API for an address as people type it. */
export function apiRoot(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new DemoError(`"${url}" is not the address of a server. One looks like http://127.0.0.1:8070`);
  }
  const root = url.replace(/\/+$/, '');
  return /\/v1$/.test(root) ? root : `${root}/api/v1`;
}

/** Seconds to wait for: `Retry-After` holds a number of them or a date. Without one, a second. */
export function retryAfter(header: string | null, now: number = Date.now()): number {
  const seconds = header === null ? 1 : /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return Number.isNaN(seconds) ? 1 : Math.max(0, Math.min(longestWaitS, seconds));
}

/** One request, repeated as long as the server says that it is busy and did nothing (429, 503). */
async function request(client: DemoClient, method: string, route: string, body?: unknown): Promise<unknown> {
  for (let waits = 0; ; waits++) {
    const response = await send(client, method, route, body);
    const text = await response.text().catch((error) => fail(unreachable(client, error)));
    if ((response.status === 429 || response.status === 503) && waits < waitsMax) {
      const seconds = retryAfter(response.headers.get('retry-after'));
      client.onWait?.(response.status, seconds);
      await (client.sleep ?? delay)(seconds * 1000);
    } else if (!response.ok) {
      throw refusal(client, method, route, response.status, text);
    } else {
      return (
        parse(text) ??
        fail(new DemoError(`${client.url} does not speak the API of mapwright: ${method} ${route} answered no JSON.`))
      );
    }
  }
}

async function send(client: DemoClient, method: string, route: string, body: unknown): Promise<Response> {
  const headers: Record<string, string> = { authorization: `Bearer ${client.key}`, accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  try {
    return await fetch(client.url + route, {
      method,
      headers,
      signal: AbortSignal.timeout(answerWithinMs),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    throw unreachable(client, error);
  }
}

function fail(error: Error): never {
  throw error;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreachable(client: DemoClient, error: unknown): DemoError {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError')
    return new DemoError(`The server at ${client.url} gave no answer within ${answerWithinMs / 1000} s.`);
  const reason = cause?.code ?? cause?.message ?? message;
  return new DemoError(`No server answers at ${client.url} (${reason}). Start one with: npx mapwright serve`);
}

/** A refusal as a sentence that says what to do. */
function refusal(client: DemoClient, method: string, route: string, status: number, text: string): DemoError {
  const problem = parse(text) as { detail?: string; errors?: { pointer: string; detail: string }[] } | undefined;
  const faults = (problem?.errors ?? []).slice(0, 5).map(({ pointer, detail }) => `\n  ${pointer}: ${detail}`);
  const said = `${method} ${route} answered ${status}${problem?.detail ? `: ${problem.detail}` : ''}${faults.join('')}`;
  if (status === 401) {
    return new DemoError(`The server at ${client.url} refused the key. Make one with: npx mapwright keys create NAME`);
  }
  if (status === 404 && !problem?.detail) return new DemoError(`There is no API of mapwright at ${client.url}: ${said}`);
  if (status === 413)
    return new DemoError(`The example is larger than this server takes; its limit of a body is configurable. ${said}`);
  if (status === 503 || status === 429) return new DemoError(`The server stayed busy for ${waitsMax} attempts. ${said}`);
  return new DemoError(said);
}

// ---- references

const reference = /^(artboard|object|data_source|variable):/s;
const holdsReference = (name: string): boolean => name === 'attachedTo' || name.endsWith('_id');

/** Every `kind:name` of a project with its identifier; of members with one name the first counts. */
function identifiers(sent: Project<Member>, made: Project<Made>): Map<string, string> {
  const ids = new Map<string, string>();
  const add = (kind: string, members: Member[] = [], twins: Made[] = []): void => {
    if (members.length !== twins.length) throw new DemoError(`The server made ${twins.length} of ${members.length} (${kind}).`);
    for (const [i, { name }] of members.entries()) {
      if (typeof name === 'string' && !ids.has(`${kind}:${name}`)) ids.set(`${kind}:${name}`, (twins[i] as Made).id);
    }
  };
  add('artboard', sent.artboards, made.artboards);
  for (const [i, artboard] of (sent.artboards ?? []).entries()) {
    add('object', artboard['objects'] as Member[] | undefined, made.artboards?.[i]?.['objects'] as Made[] | undefined);
  }
  add('data_source', sent.data_sources, made.data_sources);
  add('variable', sent.variables, made.variables);
  return ids;
}

/** The value with identifiers in place of its references; the same value when it holds none. */
function resolve(value: unknown, name: string, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    if (!holdsReference(name) || !reference.test(value)) return value;
    return ids.get(value) ?? fail(new DemoError(`"${value}" (in "${name}") refers to nothing in the project.`));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, resolve(inner, key, ids), inner] as const);
  if (entries.every(([, after, before]) => after === before)) return value;
  return Array.isArray(value) ? entries.map(([, after]) => after) : Object.fromEntries(entries);
}

/** The members of `member` that refer to something, resolved. */
function changes(member: Member, ids: ReadonlyMap<string, string>): Member {
  return Object.fromEntries(
    Object.entries(member)
      .map(([name, value]) => [name, resolve(value, name, ids), value] as const)
      .filter(([, after, before]) => after !== before)
      .map(([name, after]) => [name, after]),
  );
}

/** One collection for the PATCH: all its members, as `id` and what changes; nothing when nothing does. */
function linkCollection(
  members: Member[],
  made: Made[],
  ids: ReadonlyMap<string, string>,
): { body: Member[]; linked: number } | undefined {
  let linked = 0;
  const body = members.map((member, i): Member => {
    const { objects, ...plain } = member;
    const { id, objects: madeObjects } = made[i] as Made;
    const changed = changes(plain, ids);
    if (Object.keys(changed).length > 0) linked++;
    const inner = linkCollection((objects ?? []) as Member[], (madeObjects ?? []) as Made[], ids);
    linked += inner?.linked ?? 0;
    return { id, ...changed, ...(inner && { objects: inner.body }) };
  });
  return linked > 0 ? { body, linked } : undefined;
}

/** The body of the PATCH that puts identifiers in place of references, and how many members it touches. */
export function links(sent: Project<Member>, made: Project<Made>): { body: Member; linked: number } {
  const ids = identifiers(sent, made);
  const { artboards, popups, data_sources, variables, actions, ...plain } = sent;
  const body = changes(plain, ids);
  let linked = Object.keys(body).length;
  for (const [name, members] of Object.entries({ artboards, popups, data_sources, variables, actions })) {
    const link = linkCollection(members ?? [], made[name as Collection] ?? [], ids);
    if (!link) continue;
    body[name] = link.body;
    linked += link.linked;
  }
  return { body, linked };
}

/** The project with stand-in identifiers: what resolves with them resolves with the server's. */
function rehearse(sent: Project<Member>): void {
  const stand = (members: Member[] = []): Made[] => members.map((member) => ({ ...member, id: '-' }));
  const made = Object.fromEntries(collections.map((name) => [name, stand(sent[name])])) as Project<Made>;
  for (const artboard of made.artboards ?? []) artboard['objects'] = stand(artboard['objects'] as Member[] | undefined);
  links(sent, made);
}

// ---- the examples

/** data/examples of this package, whether it runs from src or from dist. */
export function examplesFolder(): string {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, 'package.json'))) return path.join(folder, 'data', 'examples');
    if (folder === path.dirname(folder)) throw new DemoError('The examples were not installed with this program.');
  }
}

function exampleFiles(folder: string): string[] {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  if (names.length === 0) throw new DemoError(`No examples in ${folder}. In a checkout, make them with: npm run examples`);
  return names.sort().map((name) => path.join(folder, name));
}

/** Makes the project of one example file. Nothing is sent when the file is not one. */
export async function loadExample(client: DemoClient, file: string): Promise<DemoProject> {
  const started = performance.now();
  const sent = parse(fs.readFileSync(file, 'utf8')) as Project<Member> | undefined;
  const name = path.basename(file);
  if (typeof sent !== 'object' || sent === null) throw new DemoError(`${file} is no example: not a JSON object.`);
  try {
    rehearse(sent);
    const made = (await request(client, 'POST', '/projects', sent)) as Project<Made> & { id: string; name: string };
    const { body, linked } = links(sent, made);
    if (linked > 0) await request(client, 'PATCH', `/projects/${made.id}`, body);
    const artboards = (made.artboards ?? []).map((artboard) => ({
      id: artboard.id,
      name: String(artboard['name']),
      objects: (artboard['objects'] as Made[]).length,
    }));
    const [popup] = made.popups ?? [];
    const counts = Object.fromEntries(collections.map((collection) => [collection, made[collection]?.length ?? 0]));
    return {
      file: name,
      id: made.id,
      name: made.name,
      artboards,
      ...(popup && { popup: popup.id }),
      counts: {
        ...(counts as Omit<DemoProject['counts'], 'objects'>),
        objects: artboards.reduce((sum, { objects }) => sum + objects, 0),
      },
      linked,
      seconds: (performance.now() - started) / 1000,
    };
  } catch (error) {
    throw error instanceof DemoError ? new DemoError(`${name}: ${error.message}`) : error;
  }
}

// ---- the command

function describe({ name, counts, seconds }: DemoProject): string {
  const held = `${plural(counts.objects, 'object')} on ${plural(counts.artboards, 'artboard')}`;
  return `${name}: ${held}, ${plural(counts.popups, 'popup')}, ${plural(counts.actions, 'action')} (${seconds.toFixed(1)} s)`;
}

/** Lines for a shell in which MAPWRIGHT_KEY holds the key: it is a secret, so that it stands in none of them. */
function whatNext(url: string, projects: readonly DemoProject[]): string[] {
  const curl = (route: string, flags = '-s'): string =>
    `curl ${flags} -H "Authorization: Bearer $MAPWRIGHT_KEY" '${url}${route}'`;
  const project = projects.find(({ popup, artboards }) => popup && artboards.length > 0) ?? projects[0];
  const artboard = project?.artboards[0];
  return [
    curl('/projects?fields=name'),
    ...(project && artboard
      ? [
          curl(`/projects/${project.id}/artboards/${artboard.id}?fields=name,type,width,height`),
          curl(`/projects/${project.id}/artboards/${artboard.id}/objects?limit=3&fields=name,type,color`, '-si'),
        ]
      : []),
    ...(project?.popup ? [curl(`/projects/${project.id}/popups/${project.popup}`)] : []),
  ];
}

/**
 * Loads every example into the server. Throws a {@link DemoError} whose message says what to do; what was made until then stays.
 */
export async function demo(options: DemoOptions): Promise<DemoResult> {
  const { key, folder = examplesFolder(), json = false, out = process.stdout } = options;
  const url = apiRoot(options.url);
  if (!/^[\x21-\x7e]+$/.test(key)) throw new DemoError('That is no key. Make one with: npx mapwright keys create NAME');
  const files = exampleFiles(folder);
  const say = (line: string): void => void (json || out.write(`${line}\n`));
  const { isTTY, columns } = out as NodeJS.WriteStream;
  // Some terminals do not know how wide they are; a bar would break at every letter there.
  const bar = !json && isTTY && columns > 0 ? progress({ max: files.length, output: out as NodeJS.WriteStream }) : undefined;
  const client: DemoClient = {
    url,
    key,
    onWait: (status, seconds) =>
      bar ? bar.message(`busy, trying again in ${seconds} s`) : say(`busy (${status}), trying again in ${seconds} s`),
  };
  const projects: DemoProject[] = [];
  bar?.start(`Loading ${plural(files.length, 'project')} into ${url}`);
  try {
    // A wrong address or key shows before megabytes are on their way.
    await request(client, 'GET', '/projects?fields=name&limit=1');
    for (const file of files) {
      bar?.message(`Loading ${path.basename(file)}`);
      const project = await loadExample(client, file);
      projects.push(project);
      if (bar) bar.advance(1, describe(project));
      else say(describe(project));
    }
  } catch (error) {
    bar?.error('Not loaded');
    throw error;
  }
  bar?.stop(`Loaded ${plural(projects.length, 'project')} into ${url}`);
  const result: DemoResult = { url, projects, next: whatNext(url, projects) };
  if (json) {
    out.write(`${JSON.stringify(result, null, 2)}\n`);
  } else {
    if (bar) for (const project of projects) say(`  ${describe(project)}`);
    say(`\nLook at them${process.env['MAPWRIGHT_KEY'] === key ? '' : ' (MAPWRIGHT_KEY is your key: export it first)'}:`);
    for (const line of result.next) say(`  ${line}`);
  }
  return result;
}
