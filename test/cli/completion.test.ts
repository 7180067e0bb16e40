/** Completion, as bash and zsh do it with the scripts that are printed: no process of ours is started for it. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { nameOf } from '../../src/cli/command-declaration.ts';
import { scriptFor } from '../../src/cli/commands/support/completion.ts';
import { allCommands } from '../../src/cli/commands.ts';
import { run, temporaryFolder } from '../support/process.ts';

const drivers = {
  bash: (words: string) => `COMP_WORDS=(mapwright ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _mapwright
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  // What the functions of zsh would show.
  zsh: (words: string) => `compdef() {}
    compadd() { print -l -- "\${@[2,-1]}" }
    _describe() { print -l -- "\${(@)\${(P)@[-1]}%%:*}" }
    _files() { print -l -- *(N) }
    words=(mapwright ${words}); CURRENT=\${#words}; PREFIX="\${words[CURRENT]}"; _mapwright`,
} as const;

const commands = await allCommands();

type Shell = keyof typeof drivers;

const isThere = (shell: Shell): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

/** What is offered at the end of some words. */
function offered(t: Test, shell: Shell, words: string, cwd = temporaryFolder(t)): string[] {
  const script = path.join(temporaryFolder(t), 'script');
  fs.writeFileSync(script, scriptFor(shell, commands));
  const set =
    shell === 'zsh' ? `compdef() {}; source ${script}; ${drivers.zsh(words)}` : `source ${script}; ${drivers.bash(words)}`;
  const { stdout, stderr, status } = spawnSync(shell, [...(shell === 'zsh' ? ['-f'] : ['--norc']), '-c', set], {
    cwd,
    encoding: 'utf8',
  });
  t.equal(stderr, '', `${shell}: ${words}`);
  t.equal(status, 0);
  // zsh itself leaves out what does not begin with what was typed.
  const typed = (words.split(' ').at(-1) as string).replaceAll("'", '');
  return stdout.split('\n').filter((word) => word !== '' && word.startsWith(typed));
}

for (const shell of ['bash', 'zsh'] as const) {
  t.test(shell, { skip: !isThere(shell) && `there is no ${shell} here` }, async (t) => {
    const of = (words: string, cwd?: string) => offered(t, shell, words, cwd);
    t.strictSame(of("''").sort(), commands.map(nameOf).sort());
    t.strictSame(of('se'), ['serve']);
    t.strictSame(of("keys ''"), ['create', 'list', 'rotate', 'limit', 'revoke']);
    t.strictSame(of("config accounts ''"), ['list', 'rename', 'limit', 'delete']);
    t.strictSame(of('keys create --re'), ['--read-only']);
    t.strictSame(of('serve --backup-'), ['--backup-dir', '--backup-every', '--backup-keep']);
    t.strictSame(of('serve --no-com'), ['--no-compression'], 'what is on can be turned off');
    t.strictSame(of("serve --sync ''"), ['always', 'never']);
    t.strictSame(of('serve --port 1 --compat l'), ['latest']);
    t.strictSame(of("serve --port ''"), [], 'nobody knows which');
    t.strictSame(of('config serve --segm'), ['--segment-mb']);
    t.strictSame(of('accounts delete acme --y'), ['--yes']);
    t.strictSame(of('nonsense --he'), ['--help']);
    const cwd = temporaryFolder(t);
    fs.writeFileSync(path.join(cwd, 'x.backup'), '');
    t.strictSame(of('verify x', cwd), ['x.backup'], 'files where files are wanted');
    t.strictSame(of('serve --data x', cwd), ['x.backup']);
    fs.writeFileSync(path.join(cwd, 'two words.backup'), '');
    t.strictSame(of('verify tw', cwd), ['two words.backup'], 'a name with a blank is one');
  });
}

t.test('the command prints them, for the shell that is named or that is there', async (t) => {
  for (const shell of ['bash', 'zsh'] as const) {
    const named = await run(['completion', shell]);
    t.match(named, { code: 0, stderr: '' });
    t.equal(named.stdout, scriptFor(shell, commands), 'as the commands are declared');
    t.equal((await run(['completion'], { env: { SHELL: `/usr/bin/${shell}` } })).stdout, named.stdout);
  }
  t.match(await run(['completion', 'fish']), {
    code: 2,
    stdout: '',
    stderr: /^Name the shell: npx mapwright completion bash, or zsh$/m,
  });
  t.match(await run(['completion']), { code: 2, stderr: /^Name the shell:/ });
});
