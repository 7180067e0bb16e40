/** Options of `serve` that only the command line has, declared as those of the server (lib/option-declaration.ts). */
import { type NumberOption, number, type Option, text, toggle } from '../../../lib/option-declaration.ts';
import { logLevels } from '../../../server/telemetry/json-log.ts';
import { portMax } from '../../../server/telemetry/metrics-listener.ts';
import { dataOption, needsValue } from '../../option-parsing.ts';

const required = (name: string) => (value: string) => (value === '' ? `needs ${needsValue(name)}` : undefined);

/** A text that is never absent, since it has a default. */
const present = <Name extends string>(option: Option<string | undefined, Name>, byDefault: string) =>
  ({ ...option, byDefault }) as unknown as Option<string, Name>;

export const commandFlags = {
  // The server option `data` has no flag: all commands share --data.
  dataFolder: present(
    text({
      flag: 'data',
      group: 'Address',
      help: dataOption.data.describe,
      document: 'Data folder. Mode 0700; one process at a time.',
      common: true,
      problemOf: required('data'),
    }),
    dataOption.data.default,
  ),
  host: present(
    text({
      flag: 'host',
      group: 'Address',
      help: 'Address to listen on',
      document: 'Address to listen on. Put a [TLS proxy](operations.md#reverse-proxy) in front before you open it to others.',
      common: true,
      problemOf: required('host'),
    }),
    '127.0.0.1',
  ),
  port: number({
    flag: 'port',
    group: 'Address',
    help: 'Port to listen on; 0 for any free port',
    common: true,
    range: [8070, 0, portMax],
    count: true,
  }) as NumberOption<'port'>,
  open: toggle({
    flag: 'open',
    group: 'Pages',
    help: 'Open the console in the browser, signed in',
    document: 'Opens the console in the browser, signed in.',
    common: true,
    byDefault: false,
  }),
  json: toggle({
    flag: 'json',
    group: 'Logging and output',
    help: 'Print address, recovery and a first key as one line of JSON, for programs',
    document: 'Prints address, recovery and first key as [one line of JSON](operations.md#command-line).',
    common: true,
    byDefault: false,
  }),
  logLevel: {
    ...text({
      flag: 'log-level',
      group: 'Logging and output',
      help: 'Lowest level to log; on a terminal, without --log-requests, the default is warn',
      document: 'Least severe level that is [logged](operations.md#log). On a terminal without `--log-requests`: `warn`.',
      common: true,
      defaultWords: 'info',
    }),
    choices: logLevels,
  } as unknown as Option<(typeof logLevels)[number] | undefined, 'log-level'>,
  logPretty: {
    ...toggle({
      flag: 'log-pretty',
      group: 'Logging and output',
      help: 'Format the log for people instead of as JSON lines; --no-log-pretty for JSON also on a terminal',
      document: 'Readable lines instead of JSON. `--no-log-pretty` writes JSON on a terminal, too.',
      defaultWords: 'on a terminal',
      byDefault: false,
    }),
    byDefault: undefined,
  } as unknown as Option<boolean | undefined, 'log-pretty'>,
};
