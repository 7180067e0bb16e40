/**
 * A command, declared once: for yargs, help, completion and `mapwright config` (config-command.ts).
 */
import type { Argv, CommandModule, Options, PositionalOptions } from 'yargs';
import { type ArgumentsOf, parseContext, withOptions } from './option-parsing.ts';

/** An example: arguments of `npx mapwright`, or a whole shell line with it, and a description. */
export type CommandExample = readonly [line: string, does: string];

/** The program as users call it, wherever the package is installed. */
export const program = 'npx mapwright';

export interface CommandDeclaration {
  /** Its name and arguments in the syntax of yargs: `restore [file]`. */
  readonly command: string;
  /** Other names; `$0` marks the default command of a group. */
  readonly aliases?: readonly string[];
  readonly describe: string;
  readonly positionals: Readonly<Record<string, PositionalOptions>>;
  readonly options: Readonly<Record<string, Options>>;
  readonly examples: readonly CommandExample[];
  /** Subcommands; empty for a command that does something. */
  readonly commands: readonly CommandDeclaration[];
  readonly module: CommandModule;
}

type Declared<One> = Readonly<Record<string, One>>;

interface CommandParts<P extends Declared<PositionalOptions>, O extends Declared<Options>> {
  readonly command: string;
  readonly aliases?: readonly string[];
  readonly describe: string;
  readonly positionals?: P;
  readonly options: O;
  readonly examples: readonly CommandExample[];
  /** Text below the help. */
  readonly notes?: string;
  /** The message for a missing argument. */
  readonly needs?: () => string;
  handler(args: ArgumentsOf<P & O>): unknown;
}

/**
 * Thrown out of yargs with the selected command. A handler must not run inside yargs, because yargs first formats its whole help in case
 * it is needed later.
 */
export class SelectedCommand {
  readonly run: () => unknown;

  constructor(run: () => unknown) {
    this.run = run;
  }
}

/** With --help, shows the options that a declaration hides. */
export const allOption = 'all';
export const allDescription = 'With --help: every option of this command';

/** Declares a command that does something. */
export function command<
  const P extends Declared<PositionalOptions> = Record<never, never>,
  const O extends Declared<Options> = Record<never, never>,
>(parts: CommandParts<P, O>): CommandDeclaration {
  const { command, aliases, describe, positionals = {} as P, options, examples, notes, needs, handler } = parts;
  const named = { command, describe, ...(aliases === undefined ? {} : { aliases }) };
  const several = command.includes('..');
  const prepare = withOptions(several ? lastWins(options) : options, needs);
  const builder = (yargs: Argv): Argv => {
    enterCommand(command);
    // yargs treats several arguments as one argument given several times.
    if (several) yargs.parserConfiguration({ 'duplicate-arguments-array': true, 'dot-notation': false });
    for (const [name, positional] of Object.entries(positionals)) yargs.positional(name, positional);
    yargs.epilogue([formatExamples(examples), ...(notes === undefined ? [] : [notes])].join('\n\n'));
    prepare(yargs);
    const hidesSome = Object.values(options).some(({ hidden }) => hidden);
    return hidesSome ? yargs.showHidden(allOption, allDescription).group(allOption, 'Common options:') : yargs;
  };
  const choose = (args: unknown): never => {
    throw new SelectedCommand(() => handler(args as ArgumentsOf<P & O>));
  };
  return { ...named, positionals, options, examples, commands: [], module: { ...named, builder, handler: choose } };
}

/** Declares a group of commands with a common first word. */
export function commandGroup({
  commands,
  ...named
}: {
  readonly command: string;
  readonly describe: string;
  readonly commands: readonly CommandDeclaration[];
}): CommandDeclaration {
  const names = commands.map(nameOf);
  const builder = (yargs: Argv): Argv => {
    enterCommand(named.command);
    parseContext.commands = names;
    for (const { module } of commands) yargs.command(module);
    if (commands.some(({ aliases }) => aliases?.includes('$0'))) return yargs;
    // One example of each; the others are in the help of the command.
    const examples = commands.flatMap((command) => command.examples.slice(0, 1));
    return yargs
      .epilogue(`${formatExamples(examples)}\n\nHelp for one command: ${program} ${nameOf(named)} ${names[0]} --help`)
      .demandCommand(1, `Choose a command: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`);
  };
  const module: CommandModule = { ...named, builder, handler: () => undefined };
  return { ...named, positionals: {}, options: {}, examples: [], commands, module };
}

/** A command that the help lists and that cannot run. */
export function outlineOf(named: Pick<CommandDeclaration, 'command' | 'describe'>): CommandDeclaration {
  const module: CommandModule = { ...named, handler: () => undefined };
  return { ...named, positionals: {}, options: {}, examples: [], commands: [], module };
}

/** Formats examples for a help text. Each is one line that can be copied. */
export function formatExamples(examples: readonly CommandExample[]): string {
  const lines = examples.map(([line, does]) => `  # ${does}\n  ${line.includes(program) ? line : `${program} ${line}`}`);
  return `Examples:\n${lines.join('\n')}`;
}

export const nameOf = ({ command }: Pick<CommandDeclaration, 'command'>): string => command.split(' ')[0] as string;

/** Records the command that is being parsed. */
function enterCommand(command: string): void {
  parseContext.name = `${parseContext.name} ${nameOf({ command })}`.trim();
}

/** Lets the last value of a repeated switch win. */
function lastWins(options: Readonly<Record<string, Options>>): Record<string, Options> {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      const { coerce = (value: unknown) => value } = option;
      return [name, { ...option, coerce: (value: unknown) => coerce(Array.isArray(value) ? value.at(-1) : value) }];
    }),
  );
}
