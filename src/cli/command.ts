/**
 * A command: declared once, for yargs, for its help, for completion (completion.ts) and for `mapwright config` (config-command.ts).
 */
import type { Argv, CommandModule, Options, PositionalOptions } from 'yargs';
import { commandHere, withOptions } from './options.ts';

/** What stands behind `npx mapwright`, or a whole line with that in it, and what it does. */
export type Example = readonly [line: string, does: string];

/** The program, as people call it from wherever the package is. */
export const program = 'npx mapwright';

export interface Command {
  /** Its name, and its arguments as yargs writes them: `restore [file]`. */
  readonly command: string;
  /** Other names; `$0` for the one that is taken where none is given. */
  readonly aliases?: readonly string[];
  readonly describe: string;
  readonly positionals: Readonly<Record<string, PositionalOptions>>;
  readonly options: Readonly<Record<string, Options>>;
  readonly examples: readonly Example[];
  /** Those below it; none where it is one that does something. */
  readonly commands: readonly Command[];
  readonly module: CommandModule;
}

interface Declared<Arguments> {
  readonly command: string;
  readonly aliases?: readonly string[];
  readonly describe: string;
  readonly positionals?: Readonly<Record<string, PositionalOptions>>;
  readonly options: Readonly<Record<string, Options>>;
  readonly examples: readonly Example[];
  /** Said below its help. */
  readonly notes?: string;
  /** What to say when an argument is missing. */
  readonly needs?: () => string;
  handler(args: Arguments): unknown;
}

/**
 * What was asked for and is to be done when yargs is left: after a handler it lays out all of its help, in case that is needed later, before
 * anything is done.
 */
export class Chosen {
  readonly carryOut: () => unknown;

  constructor(carryOut: () => unknown) {
    this.carryOut = carryOut;
  }
}

/** A command that does something. */
export function command<Arguments>(declared: Declared<Arguments>): Command {
  const { command, aliases, describe, positionals = {}, options, examples, notes, needs, handler } = declared;
  const named = { command, describe, ...(aliases === undefined ? {} : { aliases }) };
  const several = command.includes('..');
  const prepare = withOptions(several ? lastOf(options) : options, needs);
  const builder = (yargs: Argv): Argv => {
    enter(command);
    // To yargs, several arguments are one that was given several times.
    if (several) yargs.parserConfiguration({ 'duplicate-arguments-array': true, 'dot-notation': false });
    for (const [name, positional] of Object.entries(positionals)) yargs.positional(name, positional);
    yargs.epilogue([inHelp(examples), ...(notes === undefined ? [] : [notes])].join('\n\n'));
    return prepare(yargs);
  };
  const choose = (args: unknown): never => {
    throw new Chosen(() => handler(args as Arguments));
  };
  return { ...named, positionals, options, examples, commands: [], module: { ...named, builder, handler: choose } };
}

/** Commands that have a word in common. */
export function commandGroup({
  commands,
  ...named
}: {
  readonly command: string;
  readonly describe: string;
  readonly commands: readonly Command[];
}): Command {
  const names = commands.map(nameOf);
  const builder = (yargs: Argv): Argv => {
    enter(named.command);
    commandHere.commands = names;
    for (const { module } of commands) yargs.command(module);
    if (commands.some(({ aliases }) => aliases?.includes('$0'))) return yargs;
    // One of each; the rest is in its own help.
    const examples = commands.flatMap((command) => command.examples.slice(0, 1));
    return yargs
      .epilogue(`${inHelp(examples)}\n\nMore of each: ${program} ${nameOf(named)} ${names[0]} --help`)
      .demandCommand(1, `${names.slice(0, -1).join(', ')} or ${names.at(-1)}?`);
  };
  const module: CommandModule = { ...named, builder, handler: () => undefined };
  return { ...named, positionals: {}, options: {}, examples: [], commands, module };
}

/** Examples below a help: each line whole, to be copied. */
export function inHelp(examples: readonly Example[]): string {
  const lines = examples.map(([line, does]) => `  # ${does}\n  ${line.includes(program) ? line : `${program} ${line}`}`);
  return `Examples:\n${lines.join('\n')}`;
}

export const nameOf = ({ command }: Pick<Command, 'command'>): string => command.split(' ')[0] as string;

/** Notes which command is being read. */
function enter(command: string): void {
  commandHere.name = `${commandHere.name} ${nameOf({ command })}`.trim();
}

/** Of an option given twice the last one counts. */
function lastOf(options: Readonly<Record<string, Options>>): Record<string, Options> {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      const { coerce = (value: unknown) => value } = option;
      return [name, { ...option, coerce: (value: unknown) => coerce(Array.isArray(value) ? value.at(-1) : value) }];
    }),
  );
}
