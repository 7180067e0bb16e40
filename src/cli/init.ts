/** `mapwright init`: writes what it takes to run the server elsewhere, filled in for this version and this machine, and says what comes next. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot, packageVersion } from '../lib/package.ts';
import { command } from './command.ts';
import { jsonOption, UsageError } from './options.ts';
import { printJson } from './stdout.ts';
import { writeTemplates } from './templates.ts';
import { shellWord } from './words.ts';

interface InitArguments {
  folder: string;
  docker: boolean;
  systemd: boolean;
  example: boolean;
  force: boolean;
  json: boolean;
}

/** Where this program and Node are, and how it is called as a package. */
interface Here {
  readonly version: string;
  /** As `npm pack` names it. */
  readonly tarball: string;
  readonly root: string;
  readonly node: string;
  /** The file that is the command. */
  readonly program: string;
}

interface Kind {
  /** Commands, one a line, to be given in this order; lines with `#` say why. */
  next(folder: string, here: Here): readonly string[];
  /** What has to be known before. */
  warning?(here: Here): string | undefined;
}

const needs = 'What for? npx mapwright init --docker, --systemd or --example, and a folder if it is not to be this one.';

const initOptions = {
  docker: { type: 'boolean', default: false, describe: 'A Dockerfile, and compose.yaml for it' },
  systemd: { type: 'boolean', default: false, describe: 'A unit for systemd, hardened' },
  example: { type: 'boolean', default: false, describe: 'A program of your own with mapwright in it' },
  force: { type: 'boolean', default: false, describe: 'Overwrite what is there' },
  ...jsonOption,
} as const;

const kinds: Readonly<Record<'docker' | 'systemd' | 'example', Kind>> = {
  docker: {
    next: (folder, here) => [
      ...packed(folder, here),
      'docker compose build',
      '# An account and its key, shown only now:',
      'docker compose run --rm mapwright keys create default',
      'docker compose run --rm mapwright doctor',
      'docker compose up --detach --wait',
      'curl -sS http://127.0.0.1:8070/readyz',
    ],
  },
  systemd: {
    next: (folder, here) => [
      'sudo useradd --system --home-dir /var/lib/mapwright --shell /usr/sbin/nologin mapwright',
      'sudo install -d -o mapwright -g mapwright -m 0700 /var/lib/mapwright',
      '# An account and its key, shown only now:',
      `${asService(here)} keys create default --data /var/lib/mapwright`,
      `${asService(here)} doctor --data /var/lib/mapwright`,
      `sudo install -m 0644 ${shellWord(inFolder(folder, 'mapwright.service'))} /etc/systemd/system/`,
      'sudo systemctl daemon-reload',
      'sudo systemctl enable --now mapwright',
      'curl -sS http://127.0.0.1:8070/readyz',
    ],
    warning: hiddenFromServices,
  },
  example: {
    next: (folder, here) => [...packed(folder, here), 'npm install', 'npm start'],
  },
};

export const initCommand = command<InitArguments>({
  command: 'init [folder]',
  describe: 'Write what it takes to run the server elsewhere: for Docker, for systemd, or in a program of your own',
  positionals: { folder: { type: 'string', default: '.', describe: 'Where to; made when it is not there' } },
  options: initOptions,
  examples: [
    ['init --docker', 'a Dockerfile and compose.yaml, here'],
    ['init --systemd /tmp/unit', 'a unit for systemd, in a folder of its own'],
    ['init --example my-maps', 'a program of your own with mapwright in it'],
  ],
  handler({ folder, force, json, ...asked }) {
    const [name, ...more] = (['docker', 'systemd', 'example'] as const).filter((kind) => asked[kind]);
    if (name === undefined || folder === '') throw new UsageError(needs);
    if (more.length > 0) throw new UsageError(`One at a time: npx mapwright init --${name}, then --${more[0]}.`);
    const here = whatIsHere();
    const kind = kinds[name];
    const { version, tarball, node, program } = here;
    const values = { version, tarball, node: unitWord(node), program: unitWord(program) };
    const files = writeTemplates(name, folder, values, force);
    const warning = kind.warning?.(here);
    const next = warning === undefined ? kind.next(folder, here) : [];
    if (json) return printJson({ files, next: next.filter((line) => !line.startsWith('#')), warning: warning ?? null });
    const written = files.map((file) => `  ${relative('', file)}\n`).join('');
    const steps = next.map((line) => `  ${line}\n`).join('');
    process.stdout.write(
      `Written:\n\n${written}\n${warning === undefined ? `Next:\n\n${steps}` : `It would not start: ${warning}\n`}`,
    );
  },
});

function whatIsHere(): Here {
  const version = packageVersion();
  const root = fileURLToPath(packageRoot());
  const program = fileURLToPath(new URL('dist/bin/mapwright.js', packageRoot()));
  return { version, tarball: `mapwright-${version}.tgz`, root, node: process.execPath, program };
}

/** The package, as it is here, beside the files: a folder that is built or installed, so nothing has to run to pack it. */
function packed(folder: string, { root }: Here): string[] {
  const pack = `npm pack --ignore-scripts ${shellWord(root.replace(/(.)\/$/, '$1'))}`;
  return folder === '.' ? [pack] : [`cd ${shellWord(folder)}`, pack];
}

/** The text as one word of a command line in a unit (systemd.syntax, systemd.service). */
function unitWord(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, '\\$&').replaceAll(/[%$]/g, '$&$&');
  return /^[\w./+:@-]+$/.test(text) ? text : `"${escaped}"`;
}

const asService = ({ node, program }: Here): string => `sudo -u mapwright ${shellWord(node)} ${shellWord(program)}`;

const inFolder = (folder: string, name: string): string => (folder === '.' ? name : `${folder.replace(/\/$/, '')}/${name}`);

/** The unit keeps the service out of people's folders, where Node and packages are often installed. */
function hiddenFromServices({ node, program }: Here): string | undefined {
  const hidden = [node, program].find((path) => /^\/(home|root|run\/user|tmp|var\/tmp)\//.test(path));
  return hidden === undefined
    ? undefined
    : `${hidden} is in a folder that the service will not see, since folders of people and temporary ones are kept from it. Install Node and mapwright for the whole machine (npm install --global, below /usr), and run this again from there, with --force.`;
}
