/**
 * `mapwright demo`: loads the projects of data/examples into a running server, over the same API that everybody uses.
 *
 * An example cannot hold identifiers, which only the server makes: it holds `kind:name` in their place ("object:France", see
 * data/examples/README.md). So a project takes two requests: POST it, read the identifiers from the answer; then one PATCH, which
 * is one atomic change, puts them where they belong.
 */
import fs from 'node:fs';
import path from 'node:path';
import { ApiClient, ApiError, apiRoot, clientOptions, jsonOf, sentJson } from './api-client.ts';
import { hasColours } from './colour.ts';
import { plural } from './words.ts';

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

const collections = ['artboards', 'popups', 'data_sources', 'variables', 'actions'] as const;
type Collection = (typeof collections)[number];

type Member = { [name: string]: unknown };
type Made = Member & { id: string };
/** A project as sent, or as the server answers. */
type Project<M extends Member> = Partial<Record<Collection, M[]>> & { name?: string };

// ---- the API

/** Bytes of an answer that shows a project. */
const answerBytesMax = 256 * 1024 * 1024;

async function ask(client: ApiClient, method: string, route: string, body?: unknown): Promise<unknown> {
  return jsonOf(await client.ask(method, route, body === undefined ? undefined : sentJson(body)), answerBytesMax);
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

// ---- references

const reference = /^(artboard|object|data_source|variable):/s;
const holdsReference = (name: string): boolean => name === 'attachedTo' || name.endsWith('_id');

/** Every `kind:name` of a project with its identifier; of members with one name the first counts. */
function identifiers(sent: Project<Member>, made: Project<Made>): Map<string, string> {
  const ids = new Map<string, string>();
  const add = (kind: string, members: Member[] = [], twins: Made[] = []): void => {
    if (members.length !== twins.length) throw new ApiError(`The server made ${twins.length} of ${members.length} (${kind}).`);
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
    return ids.get(value) ?? fail(new ApiError(`"${value}" (in "${name}") refers to nothing in the project.`));
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
    if (folder === path.dirname(folder)) throw new ApiError('The examples were not installed with this program.');
  }
}

function exampleFiles(folder: string): string[] {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  if (names.length === 0) throw new ApiError(`No examples in ${folder}. In a checkout, make them with: npm run examples`);
  return names.sort().map((name) => path.join(folder, name));
}

/** Makes the project of one example file. Nothing is sent when the file is not one. */
export async function loadExample(client: ApiClient, file: string): Promise<DemoProject> {
  const started = performance.now();
  const sent = parse(fs.readFileSync(file, 'utf8')) as Project<Member> | undefined;
  const name = path.basename(file);
  if (typeof sent !== 'object' || sent === null) throw new ApiError(`${file} is no example: not a JSON object.`);
  try {
    rehearse(sent);
    const made = (await ask(client, 'POST', '/projects', sent)) as Project<Made> & { id: string; name: string };
    const { body, linked } = links(sent, made);
    if (linked > 0) await ask(client, 'PATCH', `/projects/${made.id}`, body);
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
    throw error instanceof ApiError ? new ApiError(`${name}: ${error.message}`, error.status) : error;
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

/** A bar with colours; plain lines are left where there are none, and where nobody knows how wide the terminal is: it would break there. */
async function barOn(out: NodeJS.WriteStream, max: number) {
  if (!out.isTTY || !(out.columns > 0) || !hasColours(out)) return undefined;
  const { progress } = await import('@clack/prompts');
  return progress({ max, output: out });
}

/**
 * Loads every example into the server. Throws an {@link ApiError} whose message says what to do; what was made until then stays.
 */
export async function demo(options: DemoOptions): Promise<DemoResult> {
  const { key, folder = examplesFolder(), json = false, out = process.stdout } = options;
  const files = exampleFiles(folder);
  const say = (line: string): void => void (json || out.write(`${line}\n`));
  const bar = json ? undefined : await barOn(out as NodeJS.WriteStream, files.length);
  const client = new ApiClient({ url: options.url, key }, { ...(bar && { say: (line) => bar.message(line) }) });
  const { url } = client;
  const projects: DemoProject[] = [];
  bar?.start(`Loading ${plural(files.length, 'project')} into ${url}`);
  try {
    // A wrong address or key shows before megabytes are on their way.
    await ask(client, 'GET', '/projects?fields=name&limit=1');
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
    say(
      `\nOn the screen: npx mapwright view${url === apiRoot(clientOptions.url.default) ? '' : ` --url ${new URL(url).origin}`}`,
    );
    say(`\nLook at them${process.env['MAPWRIGHT_KEY'] === key ? '' : ' (MAPWRIGHT_KEY is your key: export it first)'}:`);
    for (const line of result.next) say(`  ${line}`);
  }
  return result;
}
