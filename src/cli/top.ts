/** `mapwright top`: a running server's figures, live in the terminal, as lines for a file, or as JSON for programs. */
import { setTimeout as delay } from 'node:timers/promises';
import { command } from './command.ts';
import { jsonOption, numberFrom, UsageError } from './options.ts';
import { Screen } from './screen.ts';
import { isSameRun, type Look, lookAt, sampleOf, type TopSample } from './top-sample.ts';
import { coloured, lineOf, plain, screenOf } from './top-view.ts';

interface TopArguments {
  url: string;
  interval: number;
  once: boolean;
  json: boolean;
}

/** Milliseconds that an answer may take. */
const patienceMs = 5000;
/** Of what is no terminal. */
const usual = { columns: 100, rows: 40 };

export const topCommand = command<TopArguments>({
  command: 'top',
  describe: "Show a running server's figures, live",
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8070', describe: 'Where the server listens' },
    interval: {
      type: 'number',
      default: 2,
      describe: 'Seconds between two looks',
      coerce: numberFrom(0.1, 3600, 'interval'),
    },
    once: { type: 'boolean', default: false, describe: 'Look for one interval, print what was seen, and end' },
    json: { ...jsonOption.json, describe: 'Print a line of JSON for each interval, for programs' },
  },
  examples: [
    ['top', 'the server on this machine, until Ctrl-C or q'],
    ['top --url http://127.0.0.1:8071 --interval 10', 'another one, every ten seconds'],
    ['top --once --json', 'one interval, for a program'],
  ],
  handler: top,
});

async function top({ url, interval, once, json }: TopArguments): Promise<void> {
  const address = metricsAddress(url);
  if (once) {
    const before = await lookFrom(address);
    await delay(interval * 1000);
    const now = await lookFrom(address);
    if (!isSameRun(before, now))
      throw new Error(`The server at ${url} was started again while it was looked at. Look once more.`);
    const sample = sampleOf(url, before, now);
    const size = { ...usual, ...(process.stdout.columns > 0 && { columns: process.stdout.columns }) };
    const lines = json ? [jsonOf(sample)] : screenOf(sample, { ...size, paint: paintOf(process.stdout) });
    process.stdout.write(`${lines.join('\n')}\n`);
    return;
  }
  const leaving = new AbortController();
  const screen = !json && isDrawable(process.stdout) ? new Screen(process.stdout, () => leaving.abort()) : undefined;
  try {
    await watch({
      url,
      address,
      interval,
      signal: leaving.signal,
      show: screen === undefined ? printer(json) : drawer(screen, url),
    });
  } finally {
    screen?.close();
  }
}

/** What is shown after each look: what was seen, or why nothing was; neither after the first look at a run. */
interface Seen {
  readonly sample?: TopSample;
  readonly error?: string;
}

interface Watching {
  readonly url: string;
  readonly address: string;
  readonly interval: number;
  readonly signal: AbortSignal;
  show(seen: Seen): void;
}

/** Looks until it is told to end. A server that is away is looked for until it is back. */
async function watch({ url, address, interval, signal, show }: Watching): Promise<void> {
  let before: Look | undefined;
  while (!signal.aborted) {
    const from = performance.now();
    try {
      const now = await lookFrom(address, signal);
      show(before !== undefined && isSameRun(before, now) ? { sample: sampleOf(url, before, now) } : {});
      before = now;
    } catch (error) {
      if (signal.aborted) return;
      before = undefined;
      show({ error: (error as Error).message });
    }
    await delay(Math.max(0, interval * 1000 - (performance.now() - from)), undefined, { signal }).catch(() => undefined);
  }
}

function drawer(screen: Screen, url: string): Watching['show'] {
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
              ...screenOf(last, { columns, rows: rows - 5, paint: plain }),
            ];
      screen.draw([paint('red', `${error} Trying again.`.slice(0, columns)), ...since]);
    } else if (sample !== undefined) screen.draw(screenOf(sample, { columns, rows, paint }));
    else screen.draw([`Looking at ${url} ... q or Ctrl-C ends.`.slice(0, columns)]);
  };
}

function printer(json: boolean): Watching['show'] {
  let said = '';
  return ({ sample, error = '' }) => {
    if (sample !== undefined) process.stdout.write(`${json ? jsonOf(sample) : lineOf(sample)}\n`);
    // Once, until it is another one or the server is back.
    else if (error !== '' && error !== said) {
      const time = new Date().toISOString();
      process.stdout.write(`${json ? JSON.stringify({ time, error }) : `${time.slice(0, 19).replace('T', ' ')}  ${error}`}\n`);
    }
    said = error;
  };
}

/** What is measured is not known to more than three decimals. */
const jsonOf = (sample: TopSample): string =>
  JSON.stringify(sample, (_, value: unknown) => (typeof value === 'number' ? Math.round(value * 1000) / 1000 : value));

/** Throws an error that says why there is nothing to see. */
async function lookFrom(address: string, signal?: AbortSignal): Promise<Look> {
  const late = AbortSignal.timeout(patienceMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, { signal: signal === undefined ? late : AbortSignal.any([late, signal]) });
    text = await response.text();
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    const why = name === 'TimeoutError' ? `nothing within ${patienceMs / 1000} s` : (cause?.code ?? cause?.message ?? message);
    throw new Error(
      `No server answers at ${address} (${why}). Start one with: npx mapwright serve, or say where it listens, with --url`,
    );
  }
  const look = response.ok ? lookAt(text, Date.now()) : undefined;
  if (look === undefined) {
    const what = response.ok ? 'something else' : `${response.status}`;
    throw new Error(
      `There are no figures of a mapwright at ${address}: it answered ${what}. Was it started with --no-metrics, or with --metrics-listen? Then say where, with --url.`,
    );
  }
  return look;
}

/** Of what people type: the address of the server, of its API, or of the figures themselves. */
function metricsAddress(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`"${url}" is not the address of a server. One looks like http://127.0.0.1:8070`);
  return `${url.replace(/\/+$/, '').replace(/(\/api)?\/v1$|\/metrics$/, '')}/metrics`;
}

/** Whether lines can be put in the place of others. */
const isDrawable = (stream: NodeJS.WriteStream): boolean => stream.isTTY && process.env['TERM'] !== 'dumb';

/** Colours on a terminal, unless whoever set it up wants none (no-color.org). */
const paintOf = (stream: NodeJS.WriteStream) => (isDrawable(stream) && (process.env['NO_COLOR'] ?? '') === '' ? coloured : plain);
