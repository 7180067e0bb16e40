/**
 * Scripts with which a shell completes `mapwright`: they hold every command and flag, so that a shell asks nobody and answers at once. They are
 * made of the declarations of the commands; those of another version are made by that.
 */
import type { Options } from 'yargs';
import { type Command, nameOf } from './command.ts';

export const shells = ['bash', 'zsh'] as const;
export type Shell = (typeof shells)[number];

/** What may stand behind some words. */
interface Place {
  /** The words before it, without the program's name: `keys create`. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly describe: string }[];
  readonly flags: readonly Flag[];
  /** Whether its arguments are files. */
  readonly files: boolean;
}

interface Flag {
  readonly name: string;
  readonly describe: string;
  /** Nothing stands behind a switch; behind another one of some words, a file, or whatever it is. */
  readonly value: 'none' | 'file' | 'any' | readonly string[];
}

/** Options and arguments that are a file or a folder. */
const fileNames: readonly string[] = ['data', 'config', 'out', 'from', 'log', 'to', 'backup-dir', 'file', 'files', 'target'];

const everywhere: readonly Flag[] = [
  { name: 'config', describe: 'A JSON file with options', value: 'file' },
  { name: 'help', describe: 'What it takes, with examples', value: 'none' },
];

export function scriptFor(shell: Shell, commands: readonly Command[]): string {
  const places = [placeOf('', commands, {}, []), ...commands.flatMap((command) => placesIn(command, ''))];
  return shell === 'bash' ? bashScript(places) : zshScript(places);
}

function placesIn(command: Command, above: string): Place[] {
  const path = `${above} ${nameOf(command)}`.trim();
  const usual = command.commands.find(({ aliases }) => aliases?.includes('$0'));
  const own = placeOf(path, command.commands, usual?.options ?? command.options, Object.keys(command.positionals));
  return [own, ...command.commands.flatMap((one) => placesIn(one, path))];
}

function placeOf(
  path: string,
  commands: readonly Command[],
  options: Readonly<Record<string, Options>>,
  args: readonly string[],
): Place {
  return {
    path,
    commands: commands.map((one) => ({ name: nameOf(one), describe: one.describe })),
    flags: [...Object.entries(options).map(([name, option]) => flagOf(name, option)), ...everywhere],
    files: args.some((name) => fileNames.includes(name)),
  };
}

function flagOf(name: string, { type, choices, default: usually, describe = '' }: Options): Flag {
  // A switch that is on is there to be turned off.
  if (type === 'boolean') return { name: usually === true ? `no-${name}` : name, describe, value: 'none' };
  const value = choices?.map(String) ?? (fileNames.includes(name) ? 'file' : 'any');
  return { name, describe, value };
}

const withWords = (places: readonly Place[]) =>
  new Map(places.flatMap(({ flags }) => flags.flatMap(({ name, value }) => (Array.isArray(value) ? [[name, value]] : []))));

const ofFiles = (places: readonly Place[]): string[] => [
  ...new Set(places.flatMap(({ flags }) => flags.flatMap(({ name, value }) => (value === 'file' ? [name] : [])))),
];

const takingAny = (places: readonly Place[]): string[] => [
  ...new Set(places.flatMap(({ flags }) => flags.flatMap(({ name, value }) => (value === 'any' ? [name] : [])))),
];

/** Plain enough for the bash of macOS (3.2): no tables, no `mapfile`, nothing of the package bash-completion. */
function bashScript(places: readonly Place[]): string {
  const cases = places.map(({ path, commands, flags, files }) => {
    const words = commands.map(({ name }) => name).join(' ');
    return `    '${path}') commands='${words}' flags='${flags.map(({ name }) => `--${name}`).join(' ')}' files='${files ? 'yes' : ''}' ;;`;
  });
  return `# Completion of mapwright for bash; made by "mapwright completion bash".
_mapwright_place() {
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
_mapwright() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path='' commands flags files word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in -*) continue ;; esac
    _mapwright_place "\${path:+$path }$word" && path="\${path:+$path }$word"
  done
  _mapwright_place "$path"
  # Readline cuts words at "=", so --sync=a comes as three.
  if [ "$current" = '=' ]; then current=''; elif [ "$previous" = '=' ]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  case "$previous" in
${[...withWords(places)].map(([name, words]) => `    --${name}) COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$current")); return ;;`).join('\n')}
    ${ofFiles(places)
      .map((name) => `--${name}`)
      .join('|')}) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    ${takingAny(places)
      .map((name) => `--${name}`)
      .join('|')}) return ;;
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *)
      COMPREPLY=($(compgen -W "$commands" -- "$current"))
      if [ -n "$files" ]; then compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); fi
      ;;
  esac
}
complete -F _mapwright mapwright
`;
}

function zshScript(places: readonly Place[]): string {
  const cases = places.map(({ path, commands, flags, files }) => {
    const described = (name: string, words: string): string => quoted(`${name}:${words}`);
    const words = commands.map(({ name, describe }) => described(name, describe)).join(' ');
    const options = flags.map(({ name, describe }) => described(`--${name}`, describe)).join(' ');
    return `    '${path}') commands=(${words}) flags=(${options}) files=${files ? 'yes' : "''"} ;;`;
  });
  return `#compdef mapwright
# Completion of mapwright for zsh; made by "mapwright completion zsh".
_mapwright_place() {
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
_mapwright() {
  local at='' word files
  local -a commands flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && continue
    _mapwright_place "\${at:+$at }$word" && at="\${at:+$at }$word"
  done
  _mapwright_place "$at"
  case "\${words[CURRENT-1]}" in
${[...withWords(places)].map(([name, words]) => `    --${name}) compadd -- ${words.join(' ')}; return ;;`).join('\n')}
    ${ofFiles(places)
      .map((name) => `--${name}`)
      .join('|')}) _files; return ;;
    ${takingAny(places)
      .map((name) => `--${name}`)
      .join('|')}) return ;;
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o 'option' flags
  else
    (( \${#commands} )) && _describe 'command' commands
    [[ -n $files ]] && _files
  fi
  return 0
}
compdef _mapwright mapwright
`;
}

/** As one word of zsh, in which a colon ends the name. */
function quoted(text: string): string {
  const [name = '', ...rest] = text.split(':');
  const words = rest.join(':').replaceAll("'", "'\\''").replaceAll(':', '\\:');
  return `'${name}:${words}'`;
}
