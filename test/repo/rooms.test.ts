/**
 * The shape of `src`: imports go down the rooms and never in a circle, and a file begins by saying what it is.
 * Every rule is also shown sources that break it, since a checker that cannot fail proves nothing.
 */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { projectRoot } from '../support/project.ts';

/** Path below `src`, with forward slashes, to text. */
type Sources = ReadonlyMap<string, string>;

/** What `docs/architecture.md` says of a room: the rooms that it imports. */
type Rooms = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The table of rooms in `docs/architecture.md`. Its last column names rooms, says "nothing", or "all", perhaps "all below", perhaps with "but"
 * and exceptions; `web` stands for all rooms in it.
 */
export function readRooms(document: string): Rooms {
  const rows = [...document.matchAll(/^\| `([a-z./-]+)` \|.*\| (.*?) \|$/gm)].map(
    (match) => [match[1] as string, match[2] as string] as const,
  );
  const names = rows.map(([name]) => name);
  return new Map(
    rows.map(([name, cell], at) => {
      const named = [...cell.matchAll(/`([a-z./-]+)`/g)].flatMap(([, each]) =>
        names.filter((other) => `${other}/`.startsWith(`${each}/`)),
      );
      const below = names.slice(at + 1);
      const imports = cell.startsWith('all') ? below.filter((other) => other !== 'index.ts' && !named.includes(other)) : named;
      return [name, new Set(imports)] as const;
    }),
  );
}

/** Lines that a room may have, by the table of rooms; no entry for a room without a number in the column before the imports. */
export function readBudgets(document: string): ReadonlyMap<string, number> {
  const rows = [...document.matchAll(/^\| `([a-z./-]+)` \|.*\| ([\d,]+) \| [^|]* \|$/gm)];
  return new Map(rows.map(([, room, lines]) => [room as string, Number((lines as string).replaceAll(',', ''))]));
}

const root = projectRoot(import.meta.dirname);
const architecture = fs.readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');
const rooms = readRooms(architecture);

/** Packages of the converter. */
const converting: ReadonlySet<string> = new Set([
  'ol',
  '@xmldom/xmldom',
  'svgpath',
  'fflate',
  'read-excel-file',
  'shpjs',
  'topojson-client',
  'topojson-server',
  'topojson-simplify',
]);

/** Packages of the console and of its popup editor. */
const editing: ReadonlySet<string> = new Set([
  ...['ol', 'preact', '@preact/signals', 'dompurify', 'uqr'],
  ...['@tiptap/core', '@tiptap/pm', '@tiptap/starter-kit', '@tiptap/extension-image', '@tiptap/extension-table'],
]);

/** Rooms that also run in browsers: beside themselves they import these packages, and nothing of Node. */
const portable: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['live/evaluate', new Set(['jsep'])],
  ['lib/draw', new Set(['culori'])],
  ['lib/invariant.ts', new Set()],
  ['lib/change', new Set()],
  ['lib/simulate-office.ts', new Set()],
  ['lib/html', new Set(['parse5'])],
  ['lib/geo', new Set()],
  ['web/client', new Set(['openapi-fetch'])],
  ['web/viewer', new Set(['ol', 'dompurify'])],
  ['web/console', editing],
  ['web/convert', converting],
]);

/** Packages that the build bundles into a script for browsers or into the command. They are not installed with the package. */
const bundled: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['web/viewer', new Set(['ol', 'dompurify'])],
  ['web/console', editing],
  ['web/convert', converting],
]);

/** The optional packages that only one room may load. */
const loadedBy: ReadonlyMap<string, string> = new Map([
  ['pg', 'cluster'],
  ['openid-client', 'server'],
]);

/** `api/crud/etag.ts` -> `api`, `lib/draw/css-colour.ts` -> `lib/draw`, not `lib`; `undefined` outside all rooms. */
const roomOf = (file: string): string | undefined =>
  [...rooms.keys()].findLast((room) => file === room || file.startsWith(`${room}/`));

/** Blanks comments, keeps strings. */
function withoutComments(text: string): string {
  const pattern = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
  return text.replace(pattern, (found) => (found.startsWith('/') ? ' ' : found));
}

/** Specifiers of everything a module loads: imports of values and of types, re-exports, dynamic imports, workers it starts. */
export function importsOf(text: string): string[] {
  const code = withoutComments(text);
  const patterns = [
    /\b(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])(.+?)\1/g,
    /\bimport\s*(['"])(.+?)\1/g,
    /\bimport\s*\(\s*(['"])(.+?)\1/g,
  ];
  const found = patterns.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[2] as string));
  const workers = [...code.matchAll(/\bworkerFile\(\s*import\.meta\.url\s*,\s*(['"])(.+?)\1/g)].map((match) => `${match[2]}.ts`);
  return [...found, ...workers];
}

/** The files of `src` that `file` loads, as paths below `src`; what leaves `src` keeps its `../`. */
const neighbours = (file: string, text: string): string[] =>
  importsOf(text)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)));

/** Packages that an import with `import ... from` loads when the module is loaded; types are no code. */
const staticImport = /\b(?:import|export)\s+(?!type\b)[^'"`;()]*?\bfrom\s*(['"])(.+?)\1|\bimport\s*(['"])(.+?)\3/g;

/**
 * Imports that go up, sideways, out of `src`, nowhere, or to a package that README.md does not name.
 *
 * @param optional packages that users install for one feature: only `import()` may load them
 */
export function wrongImports(
  sources: Sources,
  packages: ReadonlySet<string>,
  optional: ReadonlySet<string> = new Set(),
): string[] {
  const faults: string[] = [];
  for (const [file, text] of sources) {
    const from = roomOf(file);
    if (from === undefined) {
      faults.push(`${file}: in no room of docs/architecture.md`);
      continue;
    }
    for (const target of neighbours(file, text)) {
      const to = roomOf(target);
      if (target.startsWith('..')) faults.push(`${file} imports ${target}: outside src`);
      else if (!sources.has(target)) faults.push(`${file} imports ${target}: no such file`);
      else if (to !== undefined && to !== from && rooms.get(from)?.has(to) !== true)
        faults.push(`${file} imports ${target}: ${from} does not import ${to}`);
    }
    for (const specifier of importsOf(text)) {
      if (specifier.startsWith('.')) continue;
      const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
      if (portable.get(from)?.has(name) === false) faults.push(`${file} imports ${specifier}: ${from} also runs in browsers`);
      else if (specifier.startsWith('node:')) continue;
      else if ((loadedBy.get(name) ?? from) !== from)
        faults.push(`${file} imports ${specifier}: only ${loadedBy.get(name)} does`);
      else if (!packages.has(name) && !optional.has(name) && bundled.get(from)?.has(name) !== true)
        faults.push(`${file} imports ${specifier}: not among the dependencies in README.md`);
    }
    for (const match of withoutComments(text).matchAll(staticImport)) {
      const specifier = match[2] ?? match[4] ?? '';
      if (optional.has(specifier)) faults.push(`${file} imports ${specifier}: an optional package is loaded by import()`);
    }
  }
  return faults;
}

/** Circles of a graph, each once: its nodes in order, and the first one again. */
function circlesIn(nodes: Iterable<string>, targetsOf: (node: string) => Iterable<string>): string[][] {
  const found: string[][] = [];
  const state = new Map<string, 'open' | 'done'>();
  const trail: string[] = [];
  const visit = (node: string): void => {
    if (state.get(node) === 'done') return;
    if (state.get(node) === 'open') {
      found.push([...trail.slice(trail.indexOf(node)), node]);
      return;
    }
    state.set(node, 'open');
    trail.push(node);
    for (const target of targetsOf(node)) visit(target);
    trail.pop();
    state.set(node, 'done');
  };
  for (const node of nodes) visit(node);
  return found;
}

/** Circles among the files, each once, as `a.ts -> b.ts -> a.ts`. */
export function circles(sources: Sources): string[] {
  const targetsOf = (file: string): string[] => neighbours(file, sources.get(file) ?? '').filter((target) => sources.has(target));
  return circlesIn(sources.keys(), targetsOf).map((circle) => circle.join(' -> '));
}

/** Rooms whose folders import each other in no circle. `web/console` has such circles: it joins when they are resolved. */
const layered: readonly string[] = ['cluster', 'http', 'engine', 'web/console'];

/**
 * Circles among the folders of these rooms, each once, as `a -> b -> a`, with one import for each step. Imports of types count.
 *
 * A folder inside a folder counts as a folder of its own. Files directly in a room are its top (`http/listener.ts`) or its bottom
 * (`http/problem.ts`), so each counts as a folder of one file: a folder may import it only if it does not need that folder.
 */
export function folderCircles(sources: Sources, among: readonly string[]): string[] {
  /** By folder: the folders that it imports, each with one import. */
  const links = new Map<string, Map<string, string>>();
  for (const [file, text] of sources) {
    const room = roomOf(file);
    if (room === undefined || !among.includes(room)) continue;
    const folderOf = (each: string): string => (path.posix.dirname(each) === room ? each : path.posix.dirname(each));
    const from = links.get(folderOf(file)) ?? new Map<string, string>();
    links.set(folderOf(file), from);
    for (const target of neighbours(file, text))
      if (roomOf(target) === room && folderOf(target) !== folderOf(file)) from.set(folderOf(target), `${file} imports ${target}`);
  }
  return circlesIn(links.keys(), (folder) => links.get(folder)?.keys() ?? []).map((circle) => {
    const imports = circle.slice(1).map((folder, at) => links.get(circle[at] as string)?.get(folder));
    return `${circle.join(' -> ')}: ${imports.join(', ')}`;
  });
}

/** Packages that are loaded with a file, before anything of it runs. */
export function loadedWith(sources: Sources, start: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const match of withoutComments(sources.get(file) ?? '').matchAll(staticImport)) {
      const specifier = match[2] ?? match[4] ?? '';
      if (specifier.startsWith('.')) visit(path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)));
      else packages.add(specifier);
    }
  };
  visit(start);
  return packages;
}

/** Files that do not begin with a comment. */
export function illShaped(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    /^(#!.*\n)?\/(\*|\/)/.test(text) ? [] : [`${file}: begins without a comment that says what it is`],
  );
}

const classLinesMax = 300;

/** Classes that do too much to be read at once. Functions: `biome.json`. */
export function longClasses(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(/^(?:export )?(?:abstract )?class (\w+)[\s\S]*?\n\}$/gm)].flatMap(([whole, name]) => {
      const lines = whole.split('\n').length;
      return lines > classLinesMax ? [`${file}: the class ${name} has ${lines} lines, at most ${classLinesMax}`] : [];
    }),
  );
}

/** A statement, or the beginning of one: a string that begins with it, or words that only SQL has in this order. */
const statement =
  /['"`]\s*(?:SELECT|LISTEN|UNLISTEN|NOTIFY|BEGIN|COMMIT|ROLLBACK)\b|['"`\s](?:SELECT\s[^;]+\sFROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE TABLE)\s/;

/** Files with SQL outside `cluster/database`. */
export function straySql(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    !file.startsWith('cluster/database/') && statement.test(withoutComments(text))
      ? [`${file}: SQL belongs into cluster/database`]
      : [],
  );
}

/** Rooms with more lines than their budget, or without one. Generated files do not count. */
export function overBudget(sources: Sources, budgets: ReadonlyMap<string, number>): string[] {
  const counts = new Map([...rooms.keys()].map((room) => [room, 0]));
  for (const [file, text] of sources) {
    const room = roomOf(file);
    if (room !== undefined && !file.includes('/generated/')) counts.set(room, (counts.get(room) ?? 0) + linesOf(text));
  }
  const advice = 'raise it in the same commit, with its reason';
  return [...counts].flatMap(([room, lines]) => {
    const budget = budgets.get(room);
    if (budget === undefined) return [`${room} has no budget of lines in docs/architecture.md: add the next 500 above ${lines}`];
    return lines > budget ? [`${room} has ${lines} lines, its budget in docs/architecture.md is ${budget}: ${advice}`] : [];
  });
}

const linesOf = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

const filesMax = 20;
const filesWithoutReadme = 10;
const readmeLinesMax = 60;

/** Folders with too many files of their own, or without a page that introduces them; and files with one name. */
export function crowded(sources: Sources, readmes: ReadonlyMap<string, string>): string[] {
  const folders = new Map<string, number>();
  const places = new Map<string, string[]>();
  for (const file of sources.keys()) {
    const folder = path.posix.dirname(file);
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
    const name = path.posix.basename(file);
    places.set(name, [...(places.get(name) ?? []), file]);
  }
  const faults: string[] = [];
  for (const [folder, count] of folders) {
    if (count > filesMax) faults.push(`${folder} has ${count} files, at most ${filesMax}: make subfolders by subject`);
    const readme = readmes.get(folder);
    const lines = readme?.trimEnd().split('\n').length ?? 0;
    if (count > filesWithoutReadme && readme === undefined) faults.push(`${folder} has ${count} files and no README.md`);
    if (lines > readmeLinesMax) faults.push(`${folder}/README.md has ${lines} lines, at most ${readmeLinesMax}`);
  }
  for (const files of places.values()) if (files.length > 1) faults.push(`files with one name: ${files.join(', ')}`);
  return faults;
}

function readReadmes(folder: string): ReadonlyMap<string, string> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /(^|[\\/])README\.md$/.test(name));
  return new Map(
    names.map((name) => [path.posix.dirname(name.split(path.sep).join('/')), fs.readFileSync(path.join(folder, name), 'utf8')]),
  );
}

function readSources(folder: string): Sources {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.map((name) => name.split(path.sep).join('/')).filter((name) => /(?<!\.d)\.tsx?$/.test(name));
  return new Map(files.map((file) => [file, fs.readFileSync(path.join(folder, file), 'utf8')]));
}

/** The packages that the table in README.md names for more than pages. */
function packagesInReadme(text: string): ReadonlySet<string> {
  const [, table = ''] = text.split('## Dependencies');
  const rows = [...table.matchAll(/^\| (`.*`) \|.*\| (.*) \|$/gm)].filter(([, , part]) => part !== 'pages');
  return new Set(rows.flatMap(([, names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string)));
}

t.test('the sources of this project keep to the rooms, without a circle, and introduce themselves', async (t) => {
  const sources = readSources(path.join(root, 'src'));
  const { peerDependencies } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  t.ok(sources.size > 0, 'sources were found');
  const packages = packagesInReadme(fs.readFileSync(path.join(root, 'README.md'), 'utf8'));
  t.same(wrongImports(sources, packages, new Set(Object.keys(peerDependencies))), [], 'imports go down');
  t.same(circles(sources), [], 'no circle');
  for (const room of layered) t.ok(rooms.has(room), `${room} is a room`);
  t.same(folderCircles(sources, layered), [], 'no circle of folders');
  t.same(illShaped(sources), [], 'every file introduces itself');
  t.same(straySql(sources), [], 'SQL is in one place');
  t.same(longClasses(sources), [], 'classes are short');
  t.same(overBudget(sources, readBudgets(architecture)), [], 'rooms stay within their budgets of lines');
  t.same(crowded(sources, readReadmes(path.join(root, 'src'))), [], 'folders are small, introduced, and names lead to one file');
  const lengths = [...sources].map(([file, text]) => [text.split('\n').length, file] as const);
  // A hint for the reader of the output: no length fails.
  for (const [lines, file] of lengths.sort(([a], [b]) => b - a).slice(0, 10)) t.comment(`${lines} lines: ${file}`);
});

t.test('a crowded folder, a missing README and two files with one name are found', async (t) => {
  const of = (count: number) => new Map(Array.from({ length: count }, (_, i) => [`lib/${i}.ts`, '/** */'] as const));
  t.same(crowded(of(10), new Map()), []);
  t.match(crowded(of(11), new Map()), [/lib has 11 files and no README/]);
  t.same(crowded(of(11), new Map([['lib', 'short']])), []);
  t.match(crowded(of(1), new Map([['lib', 'x\n'.repeat(61)]])), [/README.md has 61 lines/]);
  t.match(crowded(of(21), new Map([['lib', '']])), [/lib has 21 files, at most 20/]);
  t.match(
    crowded(
      new Map([
        ['a/x.ts', ''],
        ['b/x.ts', ''],
      ]),
      new Map(),
    ),
    [/one name: a\/x.ts, b\/x.ts/],
  );
});

t.test('every form of import is recognized', async (t) => {
  const text = `
    import a, { type B } from './a.ts';
    import type { C } from "./c.ts";
    import './d.ts';
    export { e } from './e.ts';
    export * as f from './f.ts';
    const g = await import('./g.ts');
    import {
      h,
    } from './h.ts';
    new Worker(workerFile(import.meta.url, './i'));
    // import no from './no.ts'
    /* export * from './no.ts' */
    const url = 'https://example.com'; import j from './j.ts';
    export const from = 'not a module';
  `;
  const names = [...'abcdefghij'].filter((name) => name !== 'b').map((name) => `./${name}.ts`);
  t.same(importsOf(text).sort(), names);
});

/** Sources from `path: imports`, all with a head comment. */
const made = (files: Record<string, string[]>): Sources =>
  new Map(Object.entries(files).map(([file, to]) => [file, `// made up\n${to.map((name) => `import '${name}';`).join('\n')}`]));

t.test('an import that the table of rooms does not name is refused', async (t) => {
  const names = [...rooms.keys()].filter((room) => room !== 'index.ts');
  const all = Object.fromEntries(names.map((room) => [`${room}/x.ts`, [] as string[]]));
  const check = (files: Record<string, string[]>): string[] =>
    wrongImports(made({ ...all, 'index.ts': [], ...files }), new Set(['yargs', 'openapi-fetch']), new Set(['pg']));
  t.same(check({}), []);

  for (const [at, from] of names.entries()) {
    for (const [to, target] of names.entries()) {
      const allowed = from === target || rooms.get(from)?.has(target) === true;
      if (allowed) t.ok(to >= at, `${target} stands below ${from}`);
      const faults = check({ [`${from}/y.ts`]: [`${from.replaceAll(/[^/]+/g, '..')}/${target}/x.ts`] });
      t.equal(faults.length, allowed ? 0 : 1, `${from} -> ${target} is ${allowed ? 'allowed' : 'refused'}`);
    }
  }

  t.same(check({ 'index.ts': ['./server/x.ts', './lib/x.ts'] }), []);
  t.match(check({ 'index.ts': ['./cli/x.ts'] }), [/index.ts does not import cli/]);
  t.match(check({ 'server/y.ts': ['../index.ts'] }), [/server does not import index.ts/]);
  t.match(check({ 'utils/y.ts': [] }), [/in no room/]);
  t.match(check({ 'lib/y.ts': ['./gone.ts'] }), [/no such file/]);
  t.match(check({ 'lib/y.ts': ['../../bench/load.ts'] }), [/outside src/]);
  t.same(check({ 'cli/y.ts': ['yargs', 'yargs/helpers', 'node:fs'] }), []);
  t.match(check({ 'cli/y.ts': ['tap'] }), [/not among the dependencies/]);
  t.match(check({ 'cli/y.ts': ['@scope/name/deep'] }), [/imports @scope\/name\/deep/]);
  t.match(check({ 'cluster/y.ts': ['pg'] }), [/imports pg: an optional package is loaded by import\(\)/]);
  const optional = (file: string, text: string): string[] => wrongImports(new Map([[file, text]]), new Set(), new Set(['pg']));
  t.same(optional('cluster/y.ts', `import type { Client } from 'pg'; const { Client } = await import('pg');`), []);
  t.equal(optional('cluster/y.ts', `import pg, { type Client } from 'pg';`).length, 1);
  t.match(optional('cli/y.ts', `const { Client } = await import('pg');`), [/imports pg: only cluster does/]);
  t.same(check({ 'web/client/y.ts': ['openapi-fetch'] }), []);
  t.same(check({ 'web/viewer/y.ts': ['ol/Map.js', 'dompurify'] }), []);
  t.same(
    check({ 'web/console/y.tsx': ['preact/hooks', '@preact/signals', 'ol/Map.js', '../client/x.ts', '../viewer/x.ts'] }),
    [],
  );
  t.match(check({ 'web/console/y.tsx': ['../../lib/x.ts'] }), [/web\/console does not import lib/]);
  t.match(check({ 'lib/draw/y.ts': ['../x.ts'] }), [/lib\/draw does not import lib/]);
  t.match(check({ 'cli/y.ts': ['ol/Map.js'] }), [/imports ol\/Map.js: not among the dependencies/]);
  for (const room of ['lib/draw', 'lib/geo', 'web/viewer', 'web/client'])
    for (const name of ['node:crypto', 'yargs']) t.match(check({ [`${room}/y.ts`]: [name] }), [/also runs in browsers/]);
});

t.test('a circle of imports is found, also one of types', async (t) => {
  t.same(circles(made({ 'lib/a.ts': ['./b.ts'], 'lib/b.ts': ['./c.ts'], 'lib/c.ts': [] })), []);
  t.same(circles(made({ 'lib/a.ts': ['./a.ts'] })), ['lib/a.ts -> lib/a.ts']);
  t.same(circles(made({ 'lib/a.ts': ['./b.ts'], 'lib/b.ts': ['./c.ts'], 'lib/c.ts': ['./b.ts'] })), [
    'lib/b.ts -> lib/c.ts -> lib/b.ts',
  ]);
  const typesOnly = new Map([
    ['model/a.ts', `import type { B } from './b.ts';`],
    ['model/b.ts', `import type { A } from './a.ts';`],
  ]);
  t.same(circles(typesOnly), ['model/a.ts -> model/b.ts -> model/a.ts'], 'types count: they tie two files together as well');
});

t.test('a circle of folders is found in the rooms of the rule', async (t) => {
  const found = (files: Record<string, string[]>, among = ['http']): string[] => folderCircles(made(files), among);
  const [a, b, c] = ['http/a/1.ts', 'http/b/2.ts', 'http/c/3.ts'];
  t.same(found({ [a]: ['../b/2.ts'], [b]: ['../c/3.ts'], [c]: [] }), [], 'down');
  t.same(found({ [a]: ['./4.ts'], 'http/a/4.ts': ['./1.ts'] }), [], 'files of one folder: the rule for files finds them');
  const pair = { [a]: ['../b/2.ts'], [b]: [], 'http/b/4.ts': ['../a/5.ts'], 'http/a/5.ts': [] };
  t.same(found(pair), ['http/a -> http/b -> http/a: http/a/1.ts imports http/b/2.ts, http/b/4.ts imports http/a/5.ts']);
  t.same(found(pair, ['engine']), [], 'another room');
  const three = { [a]: ['../b/2.ts'], [b]: ['../c/3.ts'], [c]: ['../a/5.ts'], 'http/a/5.ts': [] };
  t.match(found(three), [/^http\/a -> http\/b -> http\/c -> http\/a: /], 'over another folder');
  t.match(found({ [a]: ['./x/4.ts'], 'http/a/x/4.ts': ['../5.ts'], 'http/a/5.ts': [] }), [/^http\/a -> http\/a\/x -> http\/a: /]);
  const types = new Map([
    [a, `import type { B } from '../b/2.ts';`],
    [b, `import type { A } from '../a/5.ts';`],
  ]);
  t.match(folderCircles(types, ['http']), [/^http\/a -> http\/b -> http\/a: /], 'types count');
  const direct = { 'http/top.ts': ['./a/1.ts', './bottom.ts'], [a]: ['../bottom.ts'], 'http/bottom.ts': [] };
  t.same(found(direct), [], 'files directly in a room count each for itself');
  t.match(found({ ...direct, 'http/bottom.ts': ['./a/4.ts'], 'http/a/4.ts': [] }), [/^http\/a -> http\/bottom.ts -> http\/a: /]);
});

t.test('a start of the server loads no package that only a thread uses', async (t) => {
  const sources = readSources(path.join(root, 'src'));
  const threads = ['@xmldom/xmldom', 'image-size'];
  const inThread = loadedWith(sources, 'lib/pictures/recognize-worker.ts');
  t.same(
    threads.filter((name) => !inThread.has(name)),
    [],
    'the thread does',
  );
  const atStart = loadedWith(sources, 'cli/commands/serve/serve-command.ts');
  t.ok(atStart.has('find-my-way'), 'what it loads is followed');
  t.same(
    threads.filter((name) => atStart.has(name)),
    [],
  );
  const [late, type] = ["const b = await import('b');", "import type { C } from 'c';"];
  const few = new Map([
    ['a.ts', `import './x/d.ts';${late}${type}`],
    ['x/d.ts', `export { e } from 'e';`],
  ]);
  t.same([...loadedWith(few, 'a.ts')], ['e']);
});

t.test('a file without an introduction is found', async (t) => {
  t.same(illShaped(new Map([['lib/a.ts', '/** What it is. */\nexport {};\n']])), []);
  t.same(illShaped(new Map([['cli/main.ts', '#!/usr/bin/env node\n// What it is.\n']])), []);
  t.match(illShaped(new Map([['lib/a.ts', 'export {};\n']])), [/begins without a comment/]);
});

t.test('a class of more than 300 lines is found', async (t) => {
  const withClass = (methods: number): Sources =>
    new Map([['a.ts', `/** A. */\nexport class A {\n${'  b() {}\n'.repeat(methods)}}\n\nclass C {\n  d() {}\n}\n`]]);
  t.same(longClasses(withClass(298)), []);
  t.same(longClasses(withClass(299)), ['a.ts: the class A has 301 lines, at most 300']);
});

t.test('a room with more lines than its budget is found, and a room without a budget', async (t) => {
  const budgets = readBudgets(architecture);
  const lines = (count: number): string => '//\n'.repeat(count);
  const geo = budgets.get('lib/geo') as number;
  const fill = (files: Record<string, string>): string[] => overBudget(new Map(Object.entries(files)), budgets);
  t.same(fill({ 'lib/geo/a.ts': lines(geo - 1), 'lib/geo/x/b.ts': '// the last line' }), []);
  t.match(fill({ 'lib/geo/a.ts': lines(geo), 'lib/geo/x/b.ts': lines(1) }), [
    new RegExp(`^lib/geo has ${geo + 1} lines, its budget .* is ${geo}: raise it in the same commit, with its reason$`),
  ]);
  t.same(fill({ 'lib/geo/generated/a.ts': lines(geo + 1) }), [], 'generated files do not count');
  t.same(fill({ 'lib/geo/a.ts': lines(geo), 'lib/b.ts': lines(1) }), [], 'the room around it has a budget of its own');
  const without = new Map([...budgets].filter(([room]) => room !== 'lib/geo'));
  t.match(overBudget(new Map(), without), [/^lib\/geo has no budget of lines/]);
  const table = ['| `lib/geo` | text | 1,500 | `lib`, nothing |', '| `lib` | text |  | nothing |', '| `cli` | text | nothing |'];
  t.same([...readBudgets(table.join('\n'))], [['lib/geo', 1500]]);
});

t.test('SQL outside cluster/database is found, and a word of it in a comment is none', async (t) => {
  const of = (file: string, text: string) => straySql(new Map([[file, text]]));
  t.match(of('cli/a.ts', 'await query(`SELECT id\n FROM mw_node`)'), [/SQL belongs/]);
  t.match(of('cluster/node/a.ts', "query('DELETE FROM mw_node')"), [/SQL belongs/]);
  for (const text of ["query('SELECT 1')", 'query(`LISTEN changes`)', "query('NOTIFY changes')", 'query(`\n  COMMIT`)'])
    t.match(of('cluster/log/a.ts', text), [/SQL belongs/], text);
  t.same(of('cluster/database/a.ts', "query('DELETE FROM mw_node')"), []);
  t.same(of('cli/a.ts', '/** Never DELETE FROM a table. */'), []);
});
