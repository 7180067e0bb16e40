/** `mapwright init`: writes deployment files for this version and machine, and prints the next steps. */

import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot, packageVersion } from '../../lib/package.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { firstHidden, hiddenFolders } from '../doctor/hidden-folders.ts';
import { jsonOption, UsageError } from '../option-parsing.ts';
import { shellWord } from '../output/format-values.ts';
import { printJson } from '../output/stdout.ts';
import { writeTemplates } from './support/templates.ts';

/** Locations of this program and Node, and the name of its package. */
interface Installation {
  readonly version: string;
  /** File name from `npm pack`. */
  readonly tarball: string;
  readonly root: string;
  readonly node: string;
  /** Path of the command's script. */
  readonly program: string;
}

interface Target {
  /** Shell commands in order, one per line; lines with `#` are comments. */
  next(folder: string, installation: Installation): readonly string[];
  /** A reason why the result would not work here. */
  warning?(installation: Installation): string | undefined;
}

const needs = 'Choose a target: npx mapwright init --docker, --systemd or --example. Add a folder if it is not the current one.';

const initOptions = {
  docker: { type: 'boolean', default: false, describe: 'Write a Dockerfile and its compose.yaml' },
  systemd: { type: 'boolean', default: false, describe: 'Write a hardened systemd unit' },
  example: { type: 'boolean', default: false, describe: 'Write a program that embeds mapwright' },
  force: { type: 'boolean', default: false, describe: 'Overwrite existing files' },
  ...jsonOption,
} as const;

const targets: Readonly<Record<'docker' | 'systemd' | 'example', Target>> = {
  docker: {
    next: (folder, installation) => [
      ...packCommands(folder, installation),
      'docker compose build',
      '# Creates an account and its key, which is shown only once:',
      'docker compose run --rm mapwright keys create default',
      'docker compose run --rm mapwright doctor',
      'docker compose up --detach --wait',
      'curl -sS http://127.0.0.1:8070/readyz',
    ],
  },
  systemd: {
    next: (folder, installation) => [
      'sudo useradd --system --home-dir /var/lib/mapwright --shell /usr/sbin/nologin mapwright',
      'sudo install -d -o mapwright -g mapwright -m 0700 /var/lib/mapwright',
      '# Creates an account and its key, which is shown only once:',
      `${asService(installation)} keys create default --data /var/lib/mapwright`,
      `sudo install -m 0644 ${shellWord(inFolder(folder, 'mapwright.service'))} /etc/systemd/system/`,
      `${asService(installation)} doctor --data /var/lib/mapwright --unit /etc/systemd/system/mapwright.service`,
      'sudo systemctl daemon-reload',
      'sudo systemctl enable --now mapwright',
      'curl -sS http://127.0.0.1:8070/readyz',
    ],
    warning: hiddenFromServices,
  },
  example: {
    next: (folder, installation) => [...packCommands(folder, installation), 'npm install', 'npm start'],
  },
};

export const initCommand = command({
  ...commandOutlines.init,
  positionals: { folder: { type: 'string', default: '.', describe: 'Target folder; created if missing' } },
  options: initOptions,
  examples: [
    ['init --docker', 'a Dockerfile and compose.yaml in the current folder'],
    ['init --systemd /tmp/unit', 'a systemd unit in another folder'],
    ['init --example my-maps', 'a program that embeds mapwright'],
  ],
  handler({ folder, force, json, ...flags }) {
    const [name, ...more] = (['docker', 'systemd', 'example'] as const).filter((target) => flags[target]);
    if (name === undefined || folder === '') throw new UsageError(needs);
    if (more.length > 0) throw new UsageError(`Choose one target at a time: npx mapwright init --${name}, then --${more[0]}.`);
    const installation = installationHere();
    const target = targets[name];
    const { version, tarball, node, program } = installation;
    const values = { version, tarball, node: unitWord(node), program: unitWord(program) };
    const files = writeTemplates(name, folder, values, force);
    const warning = target.warning?.(installation);
    const next = warning === undefined ? target.next(folder, installation) : [];
    if (json) return printJson({ files, next: next.filter((line) => !line.startsWith('#')), warning: warning ?? null });
    const written = files.map((file) => `  ${relative('', file)}\n`).join('');
    const steps = next.map((line) => `  ${line}\n`).join('');
    process.stdout.write(
      `Written:\n\n${written}\n${warning === undefined ? `Next:\n\n${steps}` : `The service would not start: ${warning}\n`}`,
    );
  },
});

function installationHere(): Installation {
  const version = packageVersion();
  const root = fileURLToPath(packageRoot());
  const program = fileURLToPath(new URL('dist/bin/mapwright.js', packageRoot()));
  return { version, tarball: `mapwright-${version}.tgz`, root, node: process.execPath, program };
}

/** Commands that pack this package into the folder. It is built or installed already, so no scripts need to run. */
function packCommands(folder: string, { root }: Installation): string[] {
  const pack = `npm pack --ignore-scripts ${shellWord(root.replace(/(.)\/$/, '$1'))}`;
  return folder === '.' ? [pack] : [`cd ${shellWord(folder)}`, pack];
}

/** Quotes a text as one word of a command line in a unit (systemd.syntax, systemd.service). */
function unitWord(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, '\\$&').replaceAll(/[%$]/g, '$&$&');
  return /^[\w./+:@-]+$/.test(text) ? text : `"${escaped}"`;
}

const asService = ({ node, program }: Installation): string => `sudo -u mapwright ${shellWord(node)} ${shellWord(program)}`;

const inFolder = (folder: string, name: string): string => (folder === '.' ? name : `${folder.replace(/\/$/, '')}/${name}`);

/** The unit hides home and temporary folders from the service, but Node and packages are often installed there. */
function hiddenFromServices({ node, program }: Installation): string | undefined {
  const hidden = firstHidden([node, program], Object.values(hiddenFolders).flat());
  return hidden === undefined
    ? undefined
    : `${hidden} is in a home or temporary folder, which the unit hides from the service. Install Node and mapwright system-wide (npm install --global, below /usr), and run this again from there, with --force.`;
}
