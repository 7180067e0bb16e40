/** `mapwright completion`: prints the completion script of yargs for a shell. The script asks the program for words: see main.ts. */

import yargs from 'yargs';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';

export const completionCommand = command({
  ...commandOutlines.completion,
  positionals: {
    shell: { type: 'string', choices: ['bash', 'zsh'], describe: 'The shell [default: the one in $SHELL, otherwise bash]' },
  },
  options: {},
  examples: [
    ['completion bash > ~/.local/share/bash-completion/completions/mapwright', 'for bash'],
    ['completion zsh > ~/.mapwright-completion', 'for zsh; in ~/.zshrc, after compinit: source ~/.mapwright-completion'],
  ],
  notes: 'It completes the command "mapwright", as after npm install --global.',
  handler({ shell }) {
    // yargs chooses the script by this variable.
    if (shell !== undefined) process.env['SHELL'] = shell;
    yargs().scriptName('mapwright').completion().showCompletionScript();
  },
});
