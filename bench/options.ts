/** The command line of `npm run bench`. */
import { parseArgs } from 'node:util';

export interface Options {
  /** Names of benches, or beginnings of names; none for all. */
  readonly only: readonly string[];
  /** A commit of ours to be held against, as git names it. */
  readonly against?: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly minutes: number;
  /** Whether a partial run replaces what a whole one left. */
  readonly save: boolean;
  readonly list: boolean;
  readonly help: boolean;
}

export const usage = `npm run bench -- [flags]

Measures mapwright beside a bare node:http server, beside peers, and beside itself; prints one table. A whole run writes it to
bench/results.json, bench/results.svg and bench/RESULTS.md.

  --only NAME     the bench of that name or, where none has it, all whose names begin so; may be given more than once
  --against REF   ours beside ours as of another commit, which is compiled, with its own dependencies if they differ (npm ci); the peers
                  are left out, nothing is written. Where a bench allows it, the servers run side by side, in five turns per round
  --rounds N      rounds of each comparison (5)
  --seconds N     seconds of each measurement (2); may be a fraction
  --minutes N     minutes of the soak (30)
  --save          write the files after a partial run, too: they then hold its rows alone
  --list          say which benches there are
  --help          say this

Three rounds of all take about 20 minutes and 6 GB of memory; benches of scale fill folders with a million objects first, whatever --rounds
says. Peers are installed into bench/peers the first time, from npm; wrk, PostgreSQL and redis-server are used where they are installed.
Run it on a machine that does nothing else: a row whose control is far from 1 was not measured.
`;

/** A command line that makes no sense; the message says what does. */
export class UsageError extends Error {}

/** @throws UsageError */
export function readOptions(args: readonly string[]): Options {
  const { only, against, rounds, seconds, minutes, save, list, help } = parsed(args);
  if (save && against !== undefined) throw new UsageError('--save is for the table beside others: leave out --against.');
  return {
    only,
    ...(against === undefined ? {} : { against }),
    rounds: above0('rounds', rounds, /^\d{1,3}$/),
    seconds: above0('seconds', seconds, /^\d{1,3}(\.\d+)?$/),
    minutes: above0('minutes', minutes, /^\d{1,4}(\.\d+)?$/),
    save,
    list,
    help,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true, default: [] },
        against: { type: 'string' },
        rounds: { type: 'string', default: '5' },
        seconds: { type: 'string', default: '2' },
        minutes: { type: 'string', default: '30' },
        save: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message} See --help.`);
  }
}

function above0(name: string, text: string, form: RegExp): number {
  const value = Number(text);
  if (!form.test(text) || value <= 0) {
    const number = form.test('1.5') ? 'a number' : 'a whole number';
    throw new UsageError(`--${name} takes ${number} above 0, not "${text}".`);
  }
  return value;
}
