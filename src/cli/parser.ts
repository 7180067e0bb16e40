/** The yargs parser: all commands with their flags, the environment, the file of --config, and messages for wrong usage. */
import yargs, { type Argv } from 'yargs';
import { packageVersion } from '../lib/package.ts';
import { suggest } from '../lib/text/suggest.ts';
import { type CommandDeclaration, type CommandExample, formatExamples, nameOf, program } from './command-declaration.ts';
import { readConfig } from './config-file.ts';
import { asGiven, parseContext, UsageError } from './option-parsing.ts';

/** Maximum width of help, also used if the width of the terminal is unknown. */
const columnsMax = 110;

const examples: readonly CommandExample[] = [
  ['serve', 'start a server; the first start prints a key'],
  ['demo', 'load examples into it, with the key in MAPWRIGHT_KEY'],
  ['backup backups/', 'back up all data into one file, while the server runs'],
  ['keys create --help', 'options and examples of one command'],
];
const notes =
  'Options can also be set in the environment (--segment-mb as MAPWRIGHT_SEGMENT_MB) or in the file of --config. ' +
  `Flags override the environment, which overrides the file. To see effective values: ${program} config`;

/** @param showHelp prints the help before an error that belongs to no single command */
export function makeParser(commands: readonly CommandDeclaration[], showHelp: (help: string) => void): Argv {
  parseContext.name = '';
  parseContext.file = undefined;
  parseContext.commands = commands.map(nameOf);
  const parser = yargs()
    .scriptName(program)
    .usage('$0 <command>\n\nThe server behind interactive maps.')
    .env('MAPWRIGHT')
    // The last value of a repeated switch counts. Dots in names have no meaning.
    .parserConfiguration({ 'duplicate-arguments-array': false, 'dot-notation': false })
    .config('config', 'A JSON file with options, for all commands', readConfig);
  for (const { module } of commands) parser.command(module);
  return (
    parser
      .demandCommand(1, 'Name a command from the list above.')
      // Commands first: options can be checked only for a known command.
      .strictCommands()
      .strict()
      .version('version', 'Print the version', packageVersion())
      .help('help', 'Print this help; after a command, its options and examples')
      .group(['config', 'help', 'version'], 'Common options:')
      .wrap(Math.min(columnsMax, process.stdout.columns || columnsMax))
      .epilogue(`${formatExamples(examples)}\n\n${notes}`)
      .fail((message, error, usage) => {
        if (error !== undefined && error !== null) throw error;
        const { commands: below, options } = parseContext;
        const complete = completeMessage(message);
        if (complete !== undefined) throw new UsageError(complete);
        const text = reword(message);
        // A long list of options would hide the message.
        if (message.startsWith('Unknown') || (below.length === 0 && options.size > 0))
          throw new UsageError(`${text} See --help.`);
        usage.showHelp((help) => showHelp(help));
        throw new UsageError(text);
      })
  );
}

/** Rewords messages of yargs about unknown commands and options. */
function reword(message: string): string {
  const { name, commands, options } = parseContext;
  const unknown = /^Unknown (?:commands?|arguments?): ([^,]*)/.exec(message)?.[1];
  if (unknown !== undefined && commands.length > 0 && !isFlag(unknown))
    return `There is no command "${`${name} ${unknown}`.trim()}".${meantBy(unknown, commands)}`;
  if (unknown !== undefined && isFlag(unknown))
    return `${name === '' ? 'mapwright' : `"${name}"`} has no option --${unknown}.${meantBy(unknown, [...options], '--')}`;
  if (unknown !== undefined) return `Unexpected argument "${unknown}" for "${name}".`;
  return message;
}

/** A complete message, if help adds nothing: for a missing argument, or a value that is not one of the choices. */
function completeMessage(message: string): string | undefined {
  if (/^(Missing required argument|Not enough non-option arguments)/.test(message)) return parseContext.needs;
  const [, name, given = '', choices] = /Argument: ([^,]+), Given: (.*), Choices: (.*)$/.exec(message) ?? [];
  if (name === undefined || choices === undefined) return undefined;
  const words = choices.replaceAll('"', '').split(', ');
  const listed = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  return `${asGiven(name)} must be ${listed}.${meantBy(given.replaceAll('"', ''), words)}`;
}

const isFlag = (unknown: string): boolean => parseContext.flags.has(unknown);

function meantBy(unknown: string, names: readonly string[], prefix = ''): string {
  const meant = suggest(unknown, names);
  return meant === undefined ? '' : ` Did you mean ${prefix === '' ? `"${meant}"` : prefix + meant}?`;
}
