// tier: normal
/** Completion in bash and zsh, with the scripts of the bundled program. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { nameOf } from '../../src/cli/command-declaration.ts';
import { allCommands } from '../../src/cli/commands.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';
import { sampled } from '../support/tier.ts';

t.setTimeout(600_000);

const program = path.join(import.meta.dirname, '..', '..', 'bin', 'mapwright.js');

const drivers = {
  bash: (words: string) => `COMP_WORDS=(mapwright ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _mapwright_yargs_completions
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  // zsh itself leaves out words with another beginning.
  zsh: (words: string) => `_describe() { print -l -- "\${(@)\${(P)@[-1]}%%:*}" }
    _default() { print -l -- *(N) }
    words=(mapwright ${words}); CURRENT=\${#words}; _mapwright_yargs_completions`,
} as const;

type Shell = keyof typeof drivers;

const isThere = (shell: Shell): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

/** The words that a shell offers at the end of a command line. */
function offered(t: Test, shell: Shell, script: string, words: string, env: NodeJS.ProcessEnv = {}): string[] {
  const set = `compdef() { :; }; mapwright() { "${process.execPath}" "${program}" "$@"; }; source ${script}; ${drivers[shell](words)}`;
  const { stdout, stderr, status } = spawnSync(shell, [shell === 'zsh' ? '-f' : '--norc', '-c', set], {
    cwd: path.dirname(script),
    encoding: 'utf8',
    env: { ...process.env, SHELL: `/bin/${shell}`, ...env },
  });
  t.strictSame([stderr, status], ['', 0], `${shell}: ${words}`);
  const typed = (words.split(' ').at(-1) as string).replaceAll("'", '');
  return stdout.split('\n').filter((word) => word !== '' && word.startsWith(typed));
}

for (const shell of sampled(['bash', 'zsh'] as const, 1)) {
  t.test(
    `${shell} completes commands, options and choices`,
    { skip: !isThere(shell) && `there is no ${shell} here` },
    async (t) => {
      const script = path.join(temporaryFolder(t), 'script');
      const printed = await run(['completion', shell], { file: program });
      t.match(printed, { code: 0, stderr: '' });
      fs.writeFileSync(script, printed.stdout);
      const of = (words: string, env?: NodeJS.ProcessEnv) => offered(t, shell, script, words, env);
      t.strictSame(of("''").sort(), (await allCommands()).map(nameOf).sort());
      t.strictSame(of('se'), ['serve']);
      t.strictSame(of("keys ''"), ['create', 'list', 'rotate', 'limit', 'revoke']);
      t.strictSame(of('keys create --re'), ['--read-only']);
      t.strictSame(of('serve --port 1 --backup-d'), ['--backup-dir']);
      t.strictSame(of('completion z'), ['zsh']);
      t.strictSame(of("serve --sync ''"), ['always', 'never']);
      for (const wrong of ["serve --port x ''", 'nonsense --he', 'serve --config none.json --po'])
        t.doesNotThrow(() => of(wrong), `${wrong}: no message in the middle of the line`);
      t.strictSame(of('keys create --re', { MAPWRIGHT_NONSENSE: '1' }), ['--read-only']);
      t.strictSame(of('keys create --re', { MAPWRIGHT_RATE: '' }), [], 'a wrong variable is no message, either');
    },
  );
}

test.all('completion prints the script of the named shell or of $SHELL', async (t) => {
  const scripts = { bash: /^complete .* mapwright$/m, zsh: /^#compdef mapwright$/m };
  for (const shell of sampled(['bash', 'zsh'] as const, 1)) {
    t.match(await run(['completion', shell], { env: { SHELL: '/bin/sh' } }), { code: 0, stdout: scripts[shell], stderr: '' });
    t.match(await run(['completion'], { env: { SHELL: `/usr/bin/${shell}` } }), { code: 0, stdout: scripts[shell] });
  }
  t.match(await run(['completion', 'ksh']), { code: 2, stdout: '', stderr: /must be bash or zsh/ });
});
