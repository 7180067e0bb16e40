/** `mapwright evaluate`: what data sources, variables and actions make of a project, as the server evaluates it. */
import fs from 'node:fs';
import type { Evaluation } from '../../live/evaluate/evaluation.ts';
import { ApiClient, clientOptions, jsonBody, jsonOf, listOf, needsProject } from '../api-client.ts';
import { standardInput } from '../arguments.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { jsonOption, optionalText, UsageError } from '../option-parsing.ts';
import { plural } from '../output/format-values.ts';
import { assertFile } from '../output/named-file.ts';
import { printableLine, wrapped } from '../output/printable.ts';
import { withProgress } from '../output/progress.ts';
import { withInput } from '../output/stdin.ts';
import { printJson } from '../output/stdout.ts';
import { printTable } from '../output/table.ts';

interface Named {
  readonly id: string;
  readonly name: string;
  readonly type?: string;
}

/** Where the names of resources are listed; objects and artboards are shown by their identifiers. */
const namedKinds = { variable: 'variables', action: 'actions', data_source: 'data-sources', popup: 'popups' } as const;
const listBytesMax = 64 * 1024 * 1024;
const evaluationBytesMax = 256 * 1024 * 1024;
/** Characters of a value, and items of a list, in the table. */
const valueCharactersMax = 48;
const itemsMax = 5;

export const evaluateCommand = command({
  ...commandOutlines.evaluate,
  positionals: { id: { type: 'string', demandOption: true, describe: 'Identifier of the project' } },
  options: {
    responses: optionalText(
      'responses',
      'A JSON file with a response for each data source, by its name or identifier (- for standard input). Nothing is fetched then',
    ),
    seed: optionalText('seed', 'Decides the values of random variables; by default the time'),
    now: optionalText('now', 'The time of the evaluation, such as 2026-11-24T09:30:00Z; by default that of the server'),
    ...clientOptions,
    ...jsonOption,
  },
  examples: [
    ['evaluate 01a1fe79-c6f5-7073-bc78-97c123599c3d', 'with the newest data, which the server fetches if the key may write'],
    ['evaluate 01a1fe79-c6f5-7073-bc78-97c123599c3d --responses sensors.json', 'with the responses in a file'],
  ],
  needs: needsProject('evaluate'),
  notes: 'It changes nothing. A problem says what was left out, and why; the rest is evaluated.',
  async handler({ id, responses, seed, now, url, key, json }) {
    const client = new ApiClient({ url, key });
    const route = `/projects/${encodeURIComponent(id)}`;
    const given = responses === undefined ? undefined : await readResponses(responses);
    const body = {
      ...(given !== undefined && {
        responses: byIdentifier(given, await listOf<Named>(client, `${route}/data-sources`, listBytesMax), responses ?? ''),
      }),
      ...(seed !== undefined && { seed }),
      ...(now !== undefined && { now }),
    };
    const evaluation = await withProgress('Evaluating', async () => {
      const res = await client.ask('POST', `${route}/evaluate`, jsonBody(body));
      return (await jsonOf(res, evaluationBytesMax)) as Evaluation;
    });
    if (json) return printJson(evaluation);
    await printValues(evaluation, await listOf<Named>(client, `${route}/variables`, listBytesMax));
    await printUnmatched(evaluation, client, route);
    await printProblems(evaluation, client, route);
  },
});

async function readResponses(file: string): Promise<Readonly<Record<string, unknown>>> {
  if (file !== standardInput) assertFile(file, 'file of responses', 'Name a JSON file.');
  return parseResponses(await withInput(file, (fd) => fs.readFileSync(fd, 'utf8')), file);
}

function parseResponses(text: string, file: string): Readonly<Record<string, unknown>> {
  const form = 'It must be an object with one member for each data source, such as {"Occupancy": {"taken": 3}}.';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}. ${form}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${file} has no responses. ${form}`);
  return value as Readonly<Record<string, unknown>>;
}

/** The responses by identifier. Throws a {@link UsageError} for a name that is not that of exactly one data source. */
function byIdentifier(
  given: Readonly<Record<string, unknown>>,
  sources: readonly Named[],
  file: string,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(given).map(([key, response]) => {
    const found = sources.filter(({ id, name }) => id === key || name === key);
    const [source] = found;
    if (source !== undefined && found.length === 1) return [source.id, response] as const;
    const names = sources.map(({ id, name }) => `"${name}" (${id})`).join(', ');
    const what = found.length === 0 ? 'has no data source' : 'has several data sources';
    const advice = names === '' ? 'It has no data sources at all.' : `Its data sources are ${names}.`;
    throw new UsageError(`"${key}" in ${file}: the project ${what} of that name. ${advice}`);
  });
  return Object.fromEntries(entries);
}

async function printValues(evaluation: Evaluation, variables: readonly Named[]): Promise<void> {
  const { values, objects, popups, created, created_popups, problems } = evaluation;
  if (variables.length > 0) {
    const rows = variables.map(({ id, name, type = '' }) => [
      shortened(name),
      type,
      Object.hasOwn(values, id) ? shownValue(values[id]) : 'none',
    ]);
    await printTable(['variable', 'type', 'value'], rows);
  }
  const changed = `${plural(Object.keys(objects).length, 'object')} and ${plural(Object.keys(popups).length, 'popup')}`;
  const popupsMade = created_popups.length === 0 ? '' : ` and ${plural(created_popups.length, 'popup')}`;
  process.stdout.write(
    `It changes ${changed}, and creates ${plural(created.length, 'object')}${popupsMade}. ${plural(problems.length, 'problem')}.\n`,
  );
}

/** Items of lists that name no object, and objects that no item names. */
async function printUnmatched({ unmatched }: Evaluation, client: ApiClient, route: string): Promise<void> {
  if (!unmatched.some(({ items, objects }) => items.count + objects.count > 0)) return;
  const actions = await listOf<Named>(client, `${route}/actions`, listBytesMax);
  const names = new Map(actions.map(({ id, name }) => [id, name]));
  const rows = unmatched.map(({ action_id, items, objects }) => {
    const values = items.first.map(({ value }) => value ?? 'no value').slice(0, itemsMax);
    const examples = values.length === 0 ? '' : `: ${values.join(', ')}${items.count > values.length ? ', …' : ''}`;
    return [
      `"${shortened(names.get(action_id) ?? action_id)}"`,
      `${items.count} of ${items.of}${shortened(examples)}`,
      `${objects.count} of ${objects.of}`,
    ];
  });
  await printTable(['action', 'items that name no object', 'objects that no item names'], rows);
}

async function printProblems({ problems }: Evaluation, client: ApiClient, route: string): Promise<void> {
  if (problems.length === 0) return;
  const names = new Map<string, string>();
  for (const [kind, collection] of Object.entries(namedKinds)) {
    if (!problems.some(({ resource }) => resource.kind === kind)) continue;
    for (const { id, name } of await listOf<Named>(client, `${route}/${collection}`, listBytesMax))
      names.set(id, `"${shortened(name)}"`);
  }
  const rows = problems.map(({ resource: { kind, id }, pointer, detail }) => [
    `${kind.replace('_', ' ')} ${names.get(id) ?? printableLine(id)}\n${printableLine(pointer)}`,
    wrapped(detail),
  ]);
  await printTable(['problem in', 'what was left out'], rows);
}

/** A value on one line. */
function shownValue(value: unknown): string {
  if (!Array.isArray(value)) return shortened(typeof value === 'string' ? value : JSON.stringify(value));
  const items = value.slice(0, itemsMax).map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  const list = `${items.join(', ')}${value.length > itemsMax ? ', …' : ''}`;
  return `${plural(value.length, 'item')}: ${shortened(list)}`;
}

const shortened = (text: string): string => printableLine(text, valueCharactersMax);
