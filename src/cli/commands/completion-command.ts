/** `mapwright completion`: prints a completion script for a shell. */

import { type CommandDeclaration, command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { UsageError } from '../option-parsing.ts';
import { type Shell, scriptFor, shells } from './support/completion.ts';

const installation = `bash, once: mkdir -p ~/.local/share/bash-completion/completions
            npx mapwright completion bash > ~/.local/share/bash-completion/completions/mapwright
zsh, once:  npx mapwright completion zsh > ~/.mapwright-completion
            and in ~/.zshrc, after compinit: source ~/.mapwright-completion
It completes the command "mapwright", as after npm install --global.`;

/** @param commands returns all commands; called late, because they include this one */
export function completionCommand(commands: () => readonly CommandDeclaration[]): CommandDeclaration {
  return command({
    ...commandOutlines.completion,
    positionals: { shell: { type: 'string', describe: 'bash or zsh; by default the shell in $SHELL' } },
    options: {},
    examples: [
      ['completion bash > ~/.local/share/bash-completion/completions/mapwright', 'for bash'],
      ['completion zsh > ~/.mapwright-completion', 'for zsh'],
    ],
    notes: installation,
    handler: ({ shell = currentShell() }) => {
      const known = shells.find((one) => one === shell);
      if (known === undefined) throw new UsageError(`Name the shell: npx mapwright completion ${shells.join(', or ')}`);
      process.stdout.write(scriptFor(known, commands()));
    },
  });
}

function currentShell(): Shell | undefined {
  const { SHELL: path = '' } = process.env;
  return shells.find((shell) => path.endsWith(`/${shell}`));
}
