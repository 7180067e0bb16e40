/** Checks a systemd unit, with `--unit`: whether the service that it describes could run a server with the given options. */
import fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Check, type CheckContext, type CheckFinding, fail, ok, warn } from './check.ts';
import { firstHidden, hiddenFolders } from './hidden-folders.ts';

/** A stop finishes requests, and then syncs and closes: up to 10 s each, with reserve. */
const stopS = 30;

/** Assignments of a unit by name, in order; an empty one resets a list. */
type Unit = ReadonlyMap<string, readonly string[]>;

interface Trouble {
  readonly found: string;
  readonly advice: string;
  /** The service would not start, or could not do what the options ask for. */
  readonly isFatal: boolean;
}

export const unitCheck: Check = {
  name: 'unit',
  run(context): CheckFinding {
    const file = context.unit as string;
    const unit = parseUnit(fs.readFileSync(file, 'utf8'));
    if (unit.get('ExecStart') === undefined)
      return fail(`${file} has no ExecStart=`, 'Write a unit for this machine: npx mapwright init --systemd');
    const troubles = [
      hiddenProgram(unit),
      unreachable(unit, context),
      readOnly(unit, context),
      shortStop(unit),
      endlessRestarts(unit),
    ].filter((trouble) => trouble !== undefined);
    if (troubles.length === 0) return ok(`${file}: the service can do what the options ask for`);
    const found = `${file}: ${troubles.map((trouble) => trouble.found).join('; ')}`;
    const advice = troubles.map((trouble) => trouble.advice).join(' ');
    return troubles.some(({ isFatal }) => isFatal) ? fail(found, advice) : warn(found, advice);
  },
};

/** Reads a unit (systemd.syntax): comments and sections are skipped, and a backslash at its end continues a line. */
function parseUnit(text: string): Unit {
  const unit = new Map<string, string[]>();
  const whole = text.replaceAll(/^[ \t]*[#;].*\n?/gm, '').replaceAll(/\\\n/g, ' ');
  for (const line of whole.split('\n')) {
    const [, name, value = ''] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined) continue;
    if (value === '') unit.delete(name);
    else unit.set(name, [...(unit.get(name) ?? []), value]);
  }
  return unit;
}

const fatal = (found: string, advice: string): Trouble => ({ found, advice, isFatal: true });
const risk = (found: string, advice: string): Trouble => ({ found, advice, isFatal: false });

const last = (unit: Unit, name: string): string | undefined => unit.get(name)?.at(-1);
/** The words of a line; one with a space is in quotation marks. */
const wordsIn = (line: string): string[] => (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
const words = (unit: Unit, name: string): string[] => (unit.get(name) ?? []).flatMap(wordsIn);
const is = (unit: Unit, name: string, ...others: readonly string[]): boolean =>
  ['1', 'yes', 'y', 'true', 't', 'on', ...others].includes(last(unit, name)?.toLowerCase() ?? '');

/** The unit hides folders in which Node or the program may be installed. */
function hiddenProgram(unit: Unit): Trouble | undefined {
  const hidden = [
    ...(is(unit, 'ProtectHome', 'tmpfs') ? hiddenFolders.ProtectHome : []),
    ...(is(unit, 'PrivateTmp', 'disconnected') ? hiddenFolders.PrivateTmp : []),
  ];
  const command = words(unit, 'ExecStart').map((word) => word.replace(/^[-@:+!|]+/, ''));
  const end = command.findIndex((word) => word === 'serve' || word === '');
  const paths = command.slice(0, end === -1 ? 2 : end).filter((word) => word.startsWith('/'));
  const path = firstHidden(paths, hidden);
  if (path !== undefined)
    return fatal(
      `it hides ${path} from the service`,
      'Install Node and mapwright system-wide, below /usr, and name them in ExecStart=.',
    );
  const missing = paths.find((each) => !fs.existsSync(each));
  if (missing === undefined) return undefined;
  return fatal(
    `ExecStart= names ${missing}, which does not exist`,
    'Write the unit again: npx mapwright init --systemd --force.',
  );
}

const everywhere = ['any', '0.0.0.0/0', '::/0'];
const onlyHere = /^(localhost|127\.[\d.]+(\/\d+)?|::1(\/128)?)$/;

/** The unit denies connections that the options need. */
function unreachable(
  unit: Unit,
  { live, cluster }: { readonly live: boolean; readonly cluster?: string | undefined },
): Trouble | undefined {
  if (!words(unit, 'IPAddressDeny').some((address) => everywhere.includes(address))) return undefined;
  const allowed = words(unit, 'IPAddressAllow');
  if (allowed.some((address) => everywhere.includes(address))) return undefined;
  const only = allowed.length === 0 ? 'no address' : allowed.join(' ');
  const advice = 'Remove IPAddressDeny= and IPAddressAllow=, or allow the addresses that are needed.';
  if (cluster !== undefined)
    return allowed.every((each) => onlyHere.test(each))
      ? fatal(`it allows ${only} only, and a node needs the database and the other nodes`, advice)
      : undefined;
  if (!live || words(unit, 'ExecStart').includes('--no-live')) return undefined;
  return risk(
    `it allows ${only} only, and live maps fetch data sources from other addresses`,
    `${advice} Without live maps: --no-live.`,
  );
}

/** The unit makes folders read-only that it, or the options, name. */
function readOnly(unit: Unit, { backupDir, logFile }: Pick<CheckContext, 'backupDir' | 'logFile'>): Trouble | undefined {
  const isStrict = last(unit, 'ProtectSystem') === 'strict';
  const below = (name: string, root: string) => words(unit, name).map((folder) => `${root}/${folder.split(':')[0]}`);
  const writable = [
    ...below('StateDirectory', '/var/lib'),
    ...below('CacheDirectory', '/var/cache'),
    ...below('LogsDirectory', '/var/log'),
    ...words(unit, 'ReadWritePaths').map((path) => path.replace(/^[-+]+/, '')),
  ];
  const isBelow = (folder: string, path: string) => `${folder}/`.startsWith(`${path.replace(/\/$/, '')}/`);
  const isReadOnly = (folder: string) =>
    (isStrict || (last(unit, 'ProtectHome') === 'read-only' && isBelow(folder, '/home'))) &&
    !writable.some((path) => isBelow(folder, path));
  const data = / --data[ =]("[^"]*"|\S+)/.exec(last(unit, 'ExecStart') ?? '')?.[1]?.replaceAll('"', '');
  // What it stands for is known to systemd only.
  const isKnown = data?.startsWith('/') === true && !/[%$]/.test(data);
  const others = [backupDir, logFile && dirname(logFile)].filter((folder) => folder !== undefined);
  const found = [...(isKnown ? [data] : []), ...others.map((folder) => resolve(folder))].filter(isReadOnly);
  if (found.length === 0) return undefined;
  return fatal(`the service may not write to ${found.join(' and ')}`, `Add ReadWritePaths=${found.join(' ')}.`);
}

/** Seconds of a time span of systemd (systemd.time); `undefined` for one of another form. */
function secondsOf(span: string): number | undefined {
  const [, count = '', unit = 's'] = /^(\d+(?:\.\d+)?) ?(ms|msec|s|sec|seconds?|m|min|minutes?)?$/.exec(span) ?? [];
  if (count === '') return undefined;
  return Number(count) * (unit.startsWith('ms') ? 0.001 : unit.startsWith('m') ? 60 : 1);
}

function shortStop(unit: Unit): Trouble | undefined {
  const given = last(unit, 'TimeoutStopSec') ?? last(unit, 'TimeoutSec');
  const seconds = given === undefined ? undefined : secondsOf(given);
  if (seconds === undefined || seconds === 0 || seconds >= stopS) return undefined;
  return risk(
    `it kills the service after ${seconds} s of a stop`,
    'Set TimeoutStopSec=45: a stop finishes requests and closes the log, and may take 20 s on a slow disk.',
  );
}

function endlessRestarts(unit: Unit): Trouble | undefined {
  if (['no', undefined].includes(last(unit, 'Restart'))) {
    return risk('it does not start the service again after a failure', 'Set Restart=on-failure.');
  }
  const prevented = words(unit, 'RestartPreventExitStatus');
  if (prevented.includes('2') && prevented.includes('3')) return undefined;
  return risk(
    'it starts the service again when options are wrong or data is damaged',
    'Set RestartPreventExitStatus=2 3: these need an operator.',
  );
}
