/** `mapwright config`: every option of a command that is in force, its value, and where it comes from. Does nothing else. */
import type { Options, PositionalOptions } from 'yargs';
import { painter } from './colour.ts';
import { type Command, command, commandGroup, nameOf } from './command.ts';
import { commandHere, jsonOption, sourceOf } from './options.ts';
import { printJson } from './stdout.ts';

/** Options whose values are shown to nobody. */
const secrets: readonly string[] = ['key'];
/** The command that is meant where none is named. */
const usual = 'serve';

/** @param commands those whose options may be asked for */
export function configCommand(commands: readonly Command[]): Command {
  return commandGroup({
    command: 'config',
    describe: 'Print the options in force, and where each comes from; of serve, or of the command that is named',
    commands: commands.map((one) => shown(one, '')),
  });
}

/** A command with the words of another one, which only shows what that one would go by. */
function shown(of: Command, above: string): Command {
  const path = `${above} ${nameOf(of)}`.trim();
  const describe = `The options of ${path}`;
  if (of.commands.length > 0)
    return commandGroup({ command: nameOf(of), describe, commands: of.commands.map((one) => shown(one, path)) });
  const options = { ...mapped(of.options), ...jsonOption };
  return command<{ json: boolean }>({
    // What is asked of a command may be left out here.
    command: of.command.replaceAll(/<(.*?)>/g, '[$1]'),
    ...(path === usual && { aliases: ['$0'] }),
    describe,
    positionals: mapped(of.positionals),
    options,
    examples: [
      [`config ${path}`, 'with the environment as it is'],
      [`config ${path} --config mapwright.json --json`, 'and with a file, for programs'],
    ],
    notes: 'Flags behind it count as they would for the command itself.',
    handler: ({ json }) => print(path, options, json),
  });
}

/** The same, without the duty to be there. */
function mapped<O extends Options | PositionalOptions>(options: Readonly<Record<string, O>>): Record<string, O> {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { ...option, demandOption: false }]));
}

function print(path: string, options: Readonly<Record<string, Options>>, json: boolean): void {
  const rows = Object.entries(options).map(([name, option]) => ({ name, option, ...inForce(name) }));
  const file = commandHere.file?.path;
  if (json) {
    const entries = rows.map(({ name, value, from, where }) => [name, { value: value ?? null, from, where: where ?? null }]);
    printJson({ command: path, file: file ?? null, options: Object.fromEntries(entries) });
    return;
  }
  const paint = painter();
  const table = rows.map(({ name, option, value, from, where }) => [name, valueInWords(value, option), where ?? from] as const);
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => (row[column] as string).length)));
  const lines = table.map((row, i) => {
    const text = row
      .map((word, column) => word.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
    return rows[i]?.from === 'default' ? text : paint('bold', text);
  });
  const strongest = file === undefined ? 'There is no file; --config or MAPWRIGHT_CONFIG names one' : `The file is ${file}`;
  process.stdout.write(
    `${lines.join('\n')}\n\nOptions of ${path}. ${strongest}. A flag wins over the environment, the environment over the file.\n`,
  );
}

/** An address as it was given, but for a password in it. */
const withoutPassword = (given: unknown): unknown =>
  typeof given === 'string' ? given.replace(/(\/\/[^/@:]*):[^/@]*@/, '$1:(not shown)@') : given;

/** What an option stands at: as it was given, not what is made of it. */
function inForce(name: string): { value: unknown; from: string; where: string | undefined } {
  const { from, words } = sourceOf(name);
  const given = commandHere.given.get(name);
  const value = secrets.includes(name) && given !== undefined ? '(not shown)' : withoutPassword(given);
  return { value, from, where: from === 'default' ? undefined : from === 'file' ? commandHere.file?.path : words };
}

function valueInWords(value: unknown, { defaultDescription }: Options): string {
  if (value === undefined || value === '') return defaultDescription ?? 'none';
  return String(value);
}
