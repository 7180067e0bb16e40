/** Options of `serve` that only the command line has, declared as those of the server (lib/option-declaration.ts). */
import { choice, number, text, toggle } from '../../../lib/option-declaration.ts';
import { logLevels } from '../../../server/telemetry/json-log.ts';
import { portMax } from '../../../server/telemetry/metrics-listener.ts';
import { dataOption, needsValue } from '../../option-parsing.ts';

const required = (name: string) => (value: string) => (value === '' ? `needs ${needsValue(name)}` : undefined);

export const commandFlags = {
  // The server option `data` has no flag: all commands share --data.
  dataFolder: text({
    flag: 'data',
    group: 'Address',
    help: 'Data folder; mode 0700, one process at a time',
    common: true,
    byDefault: dataOption.data.default,
    problemOf: required('data'),
  }),
  host: text({
    flag: 'host',
    group: 'Address',
    help: 'Address to listen on. Put a [TLS proxy](operations.md#reverse-proxy) in front before you open it to others',
    common: true,
    byDefault: '127.0.0.1',
    problemOf: required('host'),
  }),
  port: number({
    flag: 'port',
    group: 'Address',
    help: 'Port to listen on; 0 for any free port',
    common: true,
    range: [8070, 0, portMax],
    count: true,
  }),
  open: toggle({
    flag: 'open',
    group: 'Pages',
    help: 'Open the console in the browser, signed in',
    common: true,
    byDefault: false,
  }),
  json: toggle({
    flag: 'json',
    group: 'Logging and output',
    help: 'Print address, recovery and a first key as [one line of JSON](operations.md#command-line), for programs',
    common: true,
    byDefault: false,
  }),
  logLevel: choice({
    flag: 'log-level',
    group: 'Logging and output',
    help: 'Lowest level to [log](operations.md#log); on a terminal, without `--log-requests`, the default is `warn`',
    common: true,
    choices: logLevels,
    byDefault: undefined,
    defaultWords: 'info',
  }),
  logFile: text({
    flag: 'log-file',
    group: 'Logging and output',
    help: '[Log](operations.md#log) to this file instead of standard error; SIGHUP opens it again after a rotation',
    problemOf: required('log-file'),
  }),
  logPretty: toggle({
    flag: 'log-pretty',
    group: 'Logging and output',
    help: 'Format the log for people instead of as JSON lines; `--no-log-pretty` for JSON also on a terminal',
    byDefault: undefined,
    defaultWords: 'on a terminal',
  }),
};
