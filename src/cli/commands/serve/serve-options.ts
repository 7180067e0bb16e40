/** The flags of `mapwright serve`, from the declarations of options, and their translation into server options. */
import type { Options as YargsOptions } from 'yargs';
import { type ClusterOptions, clusterOptions } from '../../../cluster/cluster-options.ts';
import { quotaOptions } from '../../../engine/engine-options.ts';
import { limitOptions } from '../../../http/guard/http-limits.ts';
import {
  InvalidOption,
  type Option,
  type Options,
  type OptionWords,
  optionGroups,
  plainText,
  type ValuesOf,
} from '../../../lib/option-declaration.ts';
import { contradictionIn } from '../../../server/check-options.ts';
import { type ServerOptions, serverOptions } from '../../../server/server-options.ts';
import { scheduleOptions } from '../../../storage/backup/schedule.ts';
import { type ArgumentsOf, asGiven, sourceOf, UsageError } from '../../option-parsing.ts';
import { commandFlags } from './serve-flags.ts';

/** An option of yargs whose arguments have this type. */
type FlagOf<Value> = Omit<YargsOptions, 'coerce' | 'default'> & {
  readonly coerce: (given: unknown) => Value;
} & (undefined extends Value ? unknown : { readonly default: Value });
type FlagsOf<Declared extends Options> = {
  [Name in keyof Declared as Declared[Name] extends Option<infer _, infer Flag> ? Flag : never]: Declared[Name] extends Option<
    infer Value,
    infer _
  >
    ? FlagOf<Value>
    : never;
};

const declared = {
  ...commandFlags,
  ...serverOptions,
  ...limitOptions,
  ...scheduleOptions,
  ...clusterOptions,
  ...Object.fromEntries(Object.entries(quotaOptions).map(([name, option]) => [`quotas.${name}`, option])),
};

/** The declarations of all flags of `serve` by their options, in the order of the help. */
export const serveFlags: readonly (readonly [option: string, Options[string]])[] = Object.keys(optionGroups).flatMap((group) =>
  Object.entries<Options[string]>(declared).filter((entry) => entry[1].flag !== undefined && entry[1].group === group),
);

/** All flags of `serve`. */
export const serveOptions = Object.fromEntries(serveFlags.map(([, option]) => [option.flag, yargsOptionOf(option)])) as FlagsOf<
  typeof commandFlags
> &
  FlagsOf<typeof serverOptions> &
  FlagsOf<typeof limitOptions> &
  FlagsOf<typeof scheduleOptions> &
  FlagsOf<typeof quotaOptions> &
  FlagsOf<typeof clusterOptions>;

export type ServeArguments = ArgumentsOf<typeof serveOptions>;

function yargsOptionOf(option: Options[string]): YargsOptions {
  const { flag, group, help, kind, byDefault, defaultWords, choices, common } = option;
  const coerce = (given: unknown): unknown => {
    try {
      return option.parse(given);
    } catch (error) {
      throw error instanceof InvalidOption ? new UsageError(`${asGiven(flag)} ${error.message}.`) : error;
    }
  };
  // A quota may be a word.
  const type = kind === 'boolean' || (kind === 'number' && typeof byDefault !== 'string') ? kind : 'string';
  return {
    ...(choices === undefined ? { type } : { choices }),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    ...(defaultWords === undefined ? {} : { defaultDescription: defaultWords }),
    describe: plainText(help ?? ''),
    group: `${group}:`,
    hidden: common !== true,
    coerce,
  } as YargsOptions;
}

/** The options in the arguments of their flags. */
function valuesIn<Declared extends Options>(declarations: Declared, args: object): ValuesOf<Declared> {
  const given = args as Readonly<Record<string, unknown>>;
  const values = Object.entries(declarations).flatMap(([name, { flag, fromFlag }]) => {
    const argument = flag === undefined ? undefined : given[flag];
    const value = argument === undefined ? undefined : fromFlag(argument);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(values) as ValuesOf<Declared>;
}

/** The server options in the flags. The caller adds the log and the handler of fatal errors. */
export function serverOptionsOf(args: ServeArguments): Omit<ServerOptions, 'log' | 'onFatal'> {
  const { dir, everyMs, keep, later = false } = valuesIn(scheduleOptions, args);
  if (dir === undefined)
    needs(['backup-every', 'backup-keep', 'backup-dir-later'], 'scheduled backups. Name a folder for them with --backup-dir DIR');
  if (sourceOf('oidc-secret').from === 'flag')
    throw new UsageError(
      '--oidc-secret would show the secret to all users of this machine. Use --oidc-secret-file FILE, or the environment variable MAPWRIGHT_OIDC_SECRET.',
    );
  const { inMemory: _, ...values } = valuesIn(serverOptions, args);
  const options = {
    ...values,
    data: args.data,
    limits: valuesIn(limitOptions, args),
    quotas: valuesIn(quotaOptions, args),
    ...(dir !== undefined && everyMs !== undefined && keep !== undefined && { backup: { dir, everyMs, keep, later } }),
  };
  const contradiction = contradictionIn(options, flagWords);
  if (contradiction !== undefined) throw new UsageError(`${flagWords.name(contradiction.option)} ${contradiction.problem}.`);
  return options;
}

/** Names options as the user gave them. */
const flagWords: OptionWords = {
  name: (option) => asGiven(flagOf(option).flag),
  off: (option) => `--no-${flagOf(option).flag}`,
  value: (option, value) => Number((value / (flagOf(option).fromFlag(1) as number)).toFixed(3)),
};

function flagOf(name: string): Options[string] {
  return (declared as Options)[name] as Options[string];
}

/** Throws a {@link UsageError} if one of the flags is given. */
function needs(flags: readonly string[], what: string): void {
  const unused = flags.find((name) => sourceOf(name).from !== 'default');
  if (unused !== undefined) throw new UsageError(`${asGiven(unused)} needs ${what}.`);
}

/** The options of a node of a cluster in the flags; `undefined` for a server on one machine. */
export function clusterOptionsOf(args: ServeArguments): ClusterOptions | undefined {
  const { url, advertise, ...others } = valuesIn(clusterOptions, args);
  if (url === undefined) {
    needs(['advertise', 'lease', 'durability', 'log-keep'], 'a cluster. Name its database with --cluster URL');
    return undefined;
  }
  if (advertise === undefined) {
    throw new UsageError(
      '--cluster needs --advertise, the URL of this node for the other nodes: --advertise http://10.0.0.5:8071',
    );
  }
  const unfit = ['sync', 'backup-dir', 'metrics-listen'].find((name) => sourceOf(name).from !== 'default');
  if (unfit !== undefined) throw new UsageError(`${asGiven(unfit)} does not apply to a node of a cluster. Leave it out.`);
  return { url, advertise, ...others };
}
