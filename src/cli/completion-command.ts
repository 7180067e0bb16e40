/** `mapwright completion`: what a shell needs to complete commands and flags by itself. */
import { type Command, command } from './command.ts';
import { type Shell, scriptFor, shells } from './completion.ts';
import { UsageError } from './options.ts';

const howTo = `bash, once: mkdir -p ~/.local/share/bash-completion/completions
            npx mapwright completion bash > ~/.local/share/bash-completion/completions/mapwright
zsh, once:  npx mapwright completion zsh > ~/.mapwright-completion
            and in ~/.zshrc, behind compinit: source ~/.mapwright-completion
It completes "mapwright", as it is called where the package is installed (npm install --global).`;

/** @param commands all of them, once they are known */
export function completionCommand(commands: () => readonly Command[]): Command {
  return command<{ shell: string | undefined }>({
    command: 'completion [shell]',
    describe: 'Print a script that has bash or zsh complete commands and flags',
    positionals: { shell: { type: 'string', describe: 'bash or zsh; by default what $SHELL names' } },
    options: {},
    examples: [
      ['completion bash > ~/.local/share/bash-completion/completions/mapwright', 'for bash'],
      ['completion zsh > ~/.mapwright-completion', 'for zsh'],
    ],
    notes: howTo,
    handler: ({ shell = shellHere() }) => {
      const wanted = shells.find((one) => one === shell);
      if (wanted === undefined) throw new UsageError(`Which shell? npx mapwright completion ${shells.join(', or ')}`);
      process.stdout.write(scriptFor(wanted, commands()));
    },
  });
}

function shellHere(): Shell | undefined {
  const { SHELL: path = '' } = process.env;
  return shells.find((shell) => path.endsWith(`/${shell}`));
}
