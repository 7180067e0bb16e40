/** `mapwright config`: prints the effective options of a command, with their values and sources. It does nothing else. */

import type { Options, PositionalOptions } from 'yargs';
import { type CommandDeclaration, command, commandGroup, nameOf } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { jsonOption, parseContext, sourceOf } from '../option-parsing.ts';
import { painter } from '../output/colour.ts';
import { printJson } from '../output/stdout.ts';

/** Options whose values are never printed. */
const secrets: readonly string[] = ['key', 'oidc-secret'];
/** The default command. */
const defaultCommand = 'serve';

/** @param commands the commands whose options can be printed */
export function configCommand(commands: readonly CommandDeclaration[]): CommandDeclaration {
  return commandGroup({
    ...commandOutlines.config,
    commands: commands.map((one) => configOf(one, '')),
  });
}

/** A command with the syntax of another one, which prints the options of that one. */
function configOf(of: CommandDeclaration, above: string): CommandDeclaration {
  const path = `${above} ${nameOf(of)}`.trim();
  const describe = `The options of ${path}`;
  if (of.commands.length > 0)
    return commandGroup({ command: nameOf(of), describe, commands: of.commands.map((one) => configOf(one, path)) });
  const options = { ...allOptional(of.options), ...jsonOption };
  return command({
    // Required arguments of the command are optional here.
    command: of.command.replaceAll(/<(.*?)>/g, '[$1]'),
    ...(path === defaultCommand && { aliases: ['$0'] }),
    describe,
    positionals: allOptional(of.positionals),
    options,
    examples: [
      [`config ${path}`, 'the options in the current environment'],
      [`config ${path} --config mapwright.json --json`, 'with a configuration file, as JSON'],
    ],
    notes: 'Further flags count as they would for the command itself.',
    handler: ({ json }) => print(path, options, json === true),
  });
}

/** The same options, none of them required. */
function allOptional<O extends Options | PositionalOptions>(options: Readonly<Record<string, O>>): Record<string, O> {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { ...option, demandOption: false }]));
}

function print(path: string, options: Readonly<Record<string, Options>>, json: boolean): void {
  const rows = Object.entries(options).map(([name, option]) => ({ name, option, ...effective(name) }));
  const file = parseContext.file?.path;
  if (json) {
    const entries = rows.map(({ name, value, from, where }) => [name, { value: value ?? null, from, where: where ?? null }]);
    printJson({ command: path, file: file ?? null, options: Object.fromEntries(entries) });
    return;
  }
  const paint = painter();
  const table = rows.map(({ name, option, value, from, where }) => [name, formatValue(value, option), where ?? from] as const);
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => (row[column] as string).length)));
  const lines = table.map((row, i) => {
    const text = row
      .map((word, column) => word.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
    return rows[i]?.from === 'default' ? text : paint('bold', text);
  });
  const fileText = file === undefined ? 'No configuration file; name one with --config or MAPWRIGHT_CONFIG' : `File: ${file}`;
  process.stdout.write(
    `${lines.join('\n')}\n\nOptions of ${path}. ${fileText}. Flags override the environment, which overrides the file.\n`,
  );
}

/** Hides a password in a URL. */
const withoutPassword = (given: unknown): unknown =>
  typeof given === 'string' ? given.replace(/(\/\/[^/@:]*):[^/@]*@/, '$1:(not shown)@') : given;

/** The effective value of an option, as it was given. */
function effective(name: string): { value: unknown; from: string; where: string | undefined } {
  const { from, words } = sourceOf(name);
  const given = parseContext.given.get(name);
  const value = secrets.includes(name) && given !== undefined ? '(not shown)' : withoutPassword(given);
  return { value, from, where: from === 'default' ? undefined : from === 'file' ? parseContext.file?.path : words };
}

function formatValue(value: unknown, { defaultDescription }: Options): string {
  if (value === undefined || value === '') return defaultDescription ?? 'none';
  return String(value);
}
