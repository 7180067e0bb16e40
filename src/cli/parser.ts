/** The command line as yargs reads it: every command and its flags, the environment, the file of --config, and what is said of wrong usage. */
import yargs, { type Argv } from 'yargs';
import { packageVersion } from '../lib/package.ts';
import { suggest } from '../lib/suggest.ts';
import { type Command, type Example, inHelp, nameOf, program } from './command.ts';
import { readConfig } from './config-file.ts';
import { asGiven, commandHere, UsageError } from './options.ts';

/** Columns of help where nobody knows how wide the terminal is, and at most. */
const columnsMax = 110;

const examples: readonly Example[] = [
  ['serve', 'start a server; the first start prints a key'],
  ['demo', 'load examples into it, with the key in MAPWRIGHT_KEY'],
  ['backup backups/', 'everything in one file, while it runs'],
  ['keys create --help', 'what a command takes, with examples'],
];
const notes =
  'Options may also stand in the environment (--segment-mb as MAPWRIGHT_SEGMENT_MB) or in the file of --config. ' +
  `A flag wins over the environment, the environment over the file. What is in force: ${program} config`;

/** @param showHelp called with help before wrong usage of no single command is told */
export function makeParser(commands: readonly Command[], showHelp: (help: string) => void): Argv {
  commandHere.name = '';
  commandHere.commands = commands.map(nameOf);
  const parser = yargs()
    .scriptName(program)
    .usage('$0 <command>\n\nThe server behind interactive maps.')
    .env('MAPWRIGHT')
    // Of an option given twice the last one counts; a dot in a name means nothing.
    .parserConfiguration({ 'duplicate-arguments-array': false, 'dot-notation': false })
    .config('config', 'A JSON file with options, for all commands', readConfig);
  for (const { module } of commands) parser.command(module);
  return (
    parser
      .demandCommand(1, 'Which command? The list is above.')
      // The commands first: as long as one is unknown, nothing can be said of its options.
      .strictCommands()
      .strict()
      .version('version', 'Print the version', packageVersion())
      .help('help', 'Print this; behind a command, what it takes, with examples')
      .group(['config', 'help', 'version'], 'Everywhere:')
      .wrap(Math.min(columnsMax, process.stdout.columns || columnsMax))
      .epilogue(`${inHelp(examples)}\n\n${notes}`)
      .fail((message, error, usage) => {
        if (error !== undefined && error !== null) throw error;
        const { commands: below, options } = commandHere;
        const whole = whatToSay(message);
        if (whole !== undefined) throw new UsageError(whole);
        const said = inWords(message);
        // All options of a command would bury what is wrong with one of them.
        if (below.length === 0 && options.size > 0) throw new UsageError(`${said} See --help.`);
        usage.showHelp((help) => showHelp(help));
        throw new UsageError(said);
      })
  );
}

/** What yargs found wrong, in words of our own where there are better ones. */
function inWords(message: string): string {
  const { name, commands, options } = commandHere;
  const unknown = /^Unknown (?:commands?|arguments?): ([^,]*)/.exec(message)?.[1];
  if (unknown !== undefined && commands.length > 0 && !isFlag(unknown))
    return `There is no command "${`${name} ${unknown}`.trim()}".${meantBy(unknown, commands)}`;
  if (unknown !== undefined && isFlag(unknown))
    return `${name === '' ? 'mapwright' : `"${name}"`} has no option --${unknown}.${meantBy(unknown, [...options], '--')}`;
  if (unknown !== undefined) return `"${unknown}" is one argument too many for "${name}".`;
  return message;
}

/** Where no help could say more: what a command asks for that is missing, and which words an option may be. */
function whatToSay(message: string): string | undefined {
  if (/^(Missing required argument|Not enough non-option arguments)/.test(message)) return commandHere.needs;
  const [, name, given = '', choices] = /Argument: ([^,]+), Given: (.*), Choices: (.*)$/.exec(message) ?? [];
  if (name === undefined || choices === undefined) return undefined;
  const words = choices.replaceAll('"', '').split(', ');
  const listed = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  return `${asGiven(name)} must be ${listed}.${meantBy(given.replaceAll('"', ''), words)}`;
}

const isFlag = (unknown: string): boolean => commandHere.flags.has(unknown);

function meantBy(unknown: string, names: readonly string[], prefix = ''): string {
  const meant = suggest(unknown, names);
  return meant === undefined ? '' : ` Did you mean ${prefix === '' ? `"${meant}"` : prefix + meant}?`;
}
