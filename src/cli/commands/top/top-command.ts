/** `mapwright top`: shows metrics of a running server, live in the terminal, as lines for a file, or as JSON for programs. */

import { setTimeout as delay } from 'node:timers/promises';
import { command } from '../../command-declaration.ts';
import { commandOutlines } from '../../command-outlines.ts';
import { jsonOption, numberFrom, UsageError } from '../../option-parsing.ts';
import { Screen } from '../../output/screen.ts';
import { isSameRun, type Scrape, scrape, type TopSample, topSample } from './scrape.ts';
import { coloured, lineOf, plainText, screenOf } from './top-view.ts';

interface TopArguments {
  url: string;
  interval: number;
  once: boolean;
  json: boolean;
}

/** Timeout of a scrape, in milliseconds. */
const scrapeTimeoutMs = 5000;
/** Size of the output if it is not a terminal. */
const defaultSize = { columns: 100, rows: 40 };

export const topCommand = command({
  ...commandOutlines.top,
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8070', describe: 'Address of the server' },
    interval: {
      type: 'number',
      default: 2,
      describe: 'Seconds between two updates',
      coerce: numberFrom(0.1, 3600, 'interval'),
    },
    once: { type: 'boolean', default: false, describe: 'Print one update after one interval, and end' },
    json: { ...jsonOption.json, describe: 'Print a line of JSON for each interval, for programs' },
  },
  examples: [
    ['top', 'the server on this machine, until Ctrl-C or q'],
    ['top --url http://127.0.0.1:8071 --interval 10', 'another server, every ten seconds'],
    ['top --once --json', 'one update, for a program'],
  ],
  handler: top,
});

async function top({ url, interval, once, json }: TopArguments): Promise<void> {
  const address = metricsAddress(url);
  if (once) {
    const before = await scrapeFrom(address);
    await delay(interval * 1000);
    const now = await scrapeFrom(address);
    if (!isSameRun(before, now))
      throw new Error(`The server at ${url} restarted between the two scrapes. Run the command again.`);
    const sample = topSample(url, before, now);
    const size = { ...defaultSize, ...(process.stdout.columns > 0 && { columns: process.stdout.columns }) };
    const lines = json ? [jsonOf(sample)] : screenOf(sample, { ...size, paint: paintOf(process.stdout) });
    process.stdout.write(`${lines.join('\n')}\n`);
    return;
  }
  const quitting = new AbortController();
  const screen = !json && isDrawable(process.stdout) ? new Screen(process.stdout, () => quitting.abort()) : undefined;
  try {
    await watch({
      url,
      address,
      interval,
      signal: quitting.signal,
      show: screen === undefined ? printer(json) : drawer(screen, url),
    });
  } finally {
    screen?.close();
  }
}

/** The result of a scrape: a sample or an error. Neither after the first scrape of a process, which gives no rates. */
interface Update {
  readonly sample?: TopSample;
  readonly error?: string;
}

interface WatchOptions {
  readonly url: string;
  readonly address: string;
  readonly interval: number;
  readonly signal: AbortSignal;
  show(update: Update): void;
}

/** Scrapes until the signal is aborted. Retries while the server is unreachable. */
async function watch({ url, address, interval, signal, show }: WatchOptions): Promise<void> {
  let before: Scrape | undefined;
  while (!signal.aborted) {
    const from = performance.now();
    try {
      const now = await scrapeFrom(address, signal);
      show(before !== undefined && isSameRun(before, now) ? { sample: topSample(url, before, now) } : {});
      before = now;
    } catch (error) {
      if (signal.aborted) return;
      before = undefined;
      show({ error: (error as Error).message });
    }
    await delay(Math.max(0, interval * 1000 - (performance.now() - from)), undefined, { signal }).catch(() => undefined);
  }
}

function drawer(screen: Screen, url: string): WatchOptions['show'] {
  const paint = paintOf(process.stdout);
  let last: TopSample | undefined;
  return ({ sample, error }) => {
    if (sample !== undefined) last = sample;
    const { columns, rows } = screen;
    if (error !== undefined) {
      const since =
        last === undefined
          ? []
          : [
              '',
              paint('dim', `Last seen at ${last.time.slice(11, 19)}:`),
              '',
              ...screenOf(last, { columns, rows: rows - 5, paint: plainText }),
            ];
      screen.draw([paint('red', `${error} Retrying.`.slice(0, columns)), ...since]);
    } else if (sample !== undefined) screen.draw(screenOf(sample, { columns, rows, paint }));
    else screen.draw([`Connecting to ${url} ... q or Ctrl-C ends.`.slice(0, columns)]);
  };
}

function printer(json: boolean): WatchOptions['show'] {
  let lastError = '';
  return ({ sample, error = '' }) => {
    if (sample !== undefined) process.stdout.write(`${json ? jsonOf(sample) : lineOf(sample)}\n`);
    // Prints each error only once in a row.
    else if (error !== '' && error !== lastError) {
      const time = new Date().toISOString();
      process.stdout.write(`${json ? JSON.stringify({ time, error }) : `${time.slice(0, 19).replace('T', ' ')}  ${error}`}\n`);
    }
    lastError = error;
  };
}

/** Rounds numbers to three decimals. */
const jsonOf = (sample: TopSample): string =>
  JSON.stringify(sample, (_, value: unknown) => (typeof value === 'number' ? Math.round(value * 1000) / 1000 : value));

/** Scrapes a server. Throws an error with advice. */
async function scrapeFrom(address: string, signal?: AbortSignal): Promise<Scrape> {
  const timeout = AbortSignal.timeout(scrapeTimeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, { signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]) });
    text = await response.text();
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    const why =
      name === 'TimeoutError' ? `no response within ${scrapeTimeoutMs / 1000} s` : (cause?.code ?? cause?.message ?? message);
    throw new Error(
      `Cannot reach a server at ${address} (${why}). Start one with: npx mapwright serve, or give its address with --url`,
    );
  }
  const result = response.ok ? scrape(text, Date.now()) : undefined;
  if (result === undefined) {
    const what = response.ok ? 'something else' : `${response.status}`;
    throw new Error(
      `${address} has no metrics of mapwright: it returned ${what}. If the server runs with --metrics-listen, give that address with --url. With --no-metrics it has none.`,
    );
  }
  return result;
}

/** The address of the metrics, from that of the server, its API, or the metrics. */
function metricsAddress(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`--url is "${url}". It must be the address of a server, such as http://127.0.0.1:8070`);
  return `${url.replace(/\/+$/, '').replace(/(\/api)?\/v1$|\/metrics$/, '')}/metrics`;
}

/** Whether the terminal can be redrawn. */
const isDrawable = (stream: NodeJS.WriteStream): boolean => stream.isTTY && process.env['TERM'] !== 'dumb';

/** Colours on a terminal, unless NO_COLOR is set (no-color.org). */
const paintOf = (stream: NodeJS.WriteStream) =>
  isDrawable(stream) && (process.env['NO_COLOR'] ?? '') === '' ? coloured : plainText;
