/**
 * `mapwright demo`: loads the projects of data/examples into a running server, through the public API.
 *
 * Only the server creates identifiers, so an example contains references of the form `kind:name` instead ("object:France", see
 * data/examples/README.md). Each project takes two requests: a POST, whose response has the identifiers, and a PATCH, which replaces all
 * references in one atomic change.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../../lib/package.ts';
import { ApiClient, ApiError, jsonBody, jsonOf } from '../../api-client.ts';
import { hasColours } from '../../output/colour.ts';
import { plural } from '../../output/format-values.ts';

interface DemoOptions {
  /** Address of the server, with or without `/api/v1`. */
  url: string;
  key: string;
  /** Folder of the examples; by default that of this package. */
  folder?: string;
  /** Print only the result, as JSON. */
  json?: boolean;
  /** Standard output by default. A terminal gets a progress bar, other streams plain lines. */
  out?: NodeJS.WritableStream;
}

interface DemoProject {
  /** Name of the example's file. */
  file: string;
  id: string;
  name: string;
  artboards: { id: string; name: string; objects: number }[];
  /** Identifier of the first popup, if there is one. */
  popup?: string;
  counts: { artboards: number; objects: number; popups: number; data_sources: number; variables: number; actions: number };
  /** Number of members whose references the PATCH replaced. */
  linked: number;
  seconds: number;
}

export interface DemoResult {
  /** Root of the API. */
  url: string;
  projects: DemoProject[];
  /** Shell commands that show the new projects. */
  next: string[];
}

const collections = ['artboards', 'popups', 'data_sources', 'variables', 'actions'] as const;
type CollectionName = (typeof collections)[number];

type ExampleMember = { [name: string]: unknown };
type CreatedMember = ExampleMember & { id: string };
/** A project as in the request, or as in the response. */
type ExampleProject<M extends ExampleMember> = Partial<Record<CollectionName, M[]>> & { name?: string };

// ---- the API

/** Maximum size of a response with a project, in bytes. */
const responseBytesMax = 256 * 1024 * 1024;

async function ask(client: ApiClient, method: string, route: string, body?: unknown): Promise<unknown> {
  return jsonOf(await client.ask(method, route, body === undefined ? undefined : jsonBody(body)), responseBytesMax);
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

/** Maps each `kind:name` of a project to its identifier; of members with the same name, the first counts. */
function identifiers(sent: ExampleProject<ExampleMember>, created: ExampleProject<CreatedMember>): Map<string, string> {
  const ids = new Map<string, string>();
  const add = (kind: string, members: ExampleMember[] = [], twins: CreatedMember[] = []): void => {
    if (members.length !== twins.length)
      throw new ApiError(`The server created ${twins.length} instead of ${members.length} members (${kind}).`);
    for (const [i, { name }] of members.entries()) {
      if (typeof name === 'string' && !ids.has(`${kind}:${name}`)) ids.set(`${kind}:${name}`, (twins[i] as CreatedMember).id);
    }
  };
  add('artboard', sent.artboards, created.artboards);
  for (const [i, artboard] of (sent.artboards ?? []).entries()) {
    add(
      'object',
      artboard['objects'] as ExampleMember[] | undefined,
      created.artboards?.[i]?.['objects'] as CreatedMember[] | undefined,
    );
  }
  add('data_source', sent.data_sources, created.data_sources);
  add('variable', sent.variables, created.variables);
  return ids;
}

/** Replaces references in a value by identifiers. Returns the same value if it contains none. */
function resolve(value: unknown, name: string, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    if (!holdsReference(name) || !reference.test(value)) return value;
    return ids.get(value) ?? fail(new ApiError(`"${value}" (in "${name}") refers to a member that the project does not have.`));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, resolve(inner, key, ids), inner] as const);
  if (entries.every(([, after, before]) => after === before)) return value;
  return Array.isArray(value) ? entries.map(([, after]) => after) : Object.fromEntries(entries);
}

/** The members of `member` with references, resolved. */
function changes(member: ExampleMember, ids: ReadonlyMap<string, string>): ExampleMember {
  return Object.fromEntries(
    Object.entries(member)
      .map(([name, value]) => [name, resolve(value, name, ids), value] as const)
      .filter(([, after, before]) => after !== before)
      .map(([name, after]) => [name, after]),
  );
}

/** One collection for the PATCH: all members, as `id` and changes; `undefined` without changes. */
function linkCollection(
  members: ExampleMember[],
  created: CreatedMember[],
  ids: ReadonlyMap<string, string>,
): { body: ExampleMember[]; linked: number } | undefined {
  let linked = 0;
  const body = members.map((member, i): ExampleMember => {
    const { objects, ...plain } = member;
    const { id, objects: createdObjects } = created[i] as CreatedMember;
    const changed = changes(plain, ids);
    if (Object.keys(changed).length > 0) linked++;
    const inner = linkCollection((objects ?? []) as ExampleMember[], (createdObjects ?? []) as CreatedMember[], ids);
    linked += inner?.linked ?? 0;
    return { id, ...changed, ...(inner && { objects: inner.body }) };
  });
  return linked > 0 ? { body, linked } : undefined;
}

/** The body of the PATCH that replaces references, and the number of members that it changes. */
export function links(
  sent: ExampleProject<ExampleMember>,
  created: ExampleProject<CreatedMember>,
): { body: ExampleMember; linked: number } {
  const ids = identifiers(sent, created);
  const { artboards, popups, data_sources, variables, actions, ...plain } = sent;
  const body = changes(plain, ids);
  let linked = Object.keys(body).length;
  for (const [name, members] of Object.entries({ artboards, popups, data_sources, variables, actions })) {
    const link = linkCollection(members ?? [], created[name as CollectionName] ?? [], ids);
    if (!link) continue;
    body[name] = link.body;
    linked += link.linked;
  }
  return { body, linked };
}

/** Resolves references with placeholder identifiers, to find broken ones before anything is sent. */
function checkReferences(sent: ExampleProject<ExampleMember>): void {
  const withPlaceholders = (members: ExampleMember[] = []): CreatedMember[] => members.map((member) => ({ ...member, id: '-' }));
  const created = Object.fromEntries(
    collections.map((name) => [name, withPlaceholders(sent[name])]),
  ) as ExampleProject<CreatedMember>;
  for (const artboard of created.artboards ?? [])
    artboard['objects'] = withPlaceholders(artboard['objects'] as ExampleMember[] | undefined);
  links(sent, created);
}

// ---- the examples

/** The folder data/examples of this package. */
export const examplesFolder = (): string => fileURLToPath(new URL('data/examples', packageRoot()));

function exampleFiles(folder: string): string[] {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  if (names.length === 0)
    throw new ApiError(`There are no examples in ${folder}. In a checkout, create them with: npm run examples`);
  return names.sort().map((name) => path.join(folder, name));
}

/** Creates the project of an example file. Sends nothing if the file is invalid. */
export async function loadExample(client: ApiClient, file: string): Promise<DemoProject> {
  const started = performance.now();
  const sent = parse(fs.readFileSync(file, 'utf8')) as ExampleProject<ExampleMember> | undefined;
  const name = path.basename(file);
  if (typeof sent !== 'object' || sent === null) throw new ApiError(`${file} is not an example: it must hold a JSON object.`);
  try {
    checkReferences(sent);
    const created = (await ask(client, 'POST', '/projects', sent)) as ExampleProject<CreatedMember> & {
      id: string;
      name: string;
    };
    const { body, linked } = links(sent, created);
    if (linked > 0) await ask(client, 'PATCH', `/projects/${created.id}`, body);
    const artboards = (created.artboards ?? []).map((artboard) => ({
      id: artboard.id,
      name: String(artboard['name']),
      objects: (artboard['objects'] as CreatedMember[]).length,
    }));
    const [popup] = created.popups ?? [];
    const counts = Object.fromEntries(collections.map((collection) => [collection, created[collection]?.length ?? 0]));
    return {
      file: name,
      id: created.id,
      name: created.name,
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

/** Shell commands that show the projects. They use $MAPWRIGHT_KEY, so that they do not reveal the key. */
function nextCommands(url: string, projects: readonly DemoProject[]): string[] {
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

/** A coloured progress bar; `undefined` without colours, or if the width of the terminal is unknown, because the bar would wrap. */
async function barOn(out: NodeJS.WriteStream, max: number) {
  if (!out.isTTY || !(out.columns > 0) || !hasColours(out)) return undefined;
  const { progress } = await import('@clack/prompts');
  return progress({ max, output: out });
}

/**
 * Loads all examples into the server. Throws an {@link ApiError}; projects created before the error stay.
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
    // Detects a wrong address or key before megabytes are sent.
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
  const result: DemoResult = { url, projects, next: nextCommands(url, projects) };
  if (json) {
    out.write(`${JSON.stringify(result, null, 2)}\n`);
  } else {
    if (bar) for (const project of projects) say(`  ${describe(project)}`);
    say('\nTo edit them, in the folder of the server: npx mapwright console --open');
    say(`\nRead through the API${process.env['MAPWRIGHT_KEY'] === key ? '' : ' (export your key as MAPWRIGHT_KEY first)'}:`);
    for (const line of result.next) say(`  ${line}`);
  }
  return result;
}
