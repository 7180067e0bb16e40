/**
 * Reads the Prometheus text format 0.0.4, strictly, and by its specification alone: every line is a comment, a HELP, a TYPE or a sample;
 * the lines of a metric stand together, its TYPE before its samples; no sample occurs twice; histograms add up.
 */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]Inf|[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;
const types = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];

/** Throws an error that names the line that breaks a rule. */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let help: { name: string; text: string } | undefined;
  let current: Family | undefined;
  text.split('\n').forEach((line, at) => {
    const wrong = (why: string) => new Error(`line ${at + 1}: ${why}: ${line}`);
    if (line === '' || (line.startsWith('#') && !/^# (HELP|TYPE) /.test(line))) return;
    if (line.startsWith('# HELP ')) {
      const [, name = '', words = ''] = /^# HELP (\S+) (.+)$/.exec(line) ?? [];
      if (!metricName.test(name)) throw wrong('no metric');
      help = { name, text: words };
    } else if (line.startsWith('# TYPE ')) {
      const [, name = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
      if (!metricName.test(name) || !types.includes(type)) throw wrong('no type');
      if (help?.name !== name) throw wrong('no HELP before it');
      if (families.has(name)) throw wrong('its lines do not stand together');
      current = { name, type, help: help.text, samples: [] };
      families.set(name, current);
    } else {
      const sample = parseSample(line);
      if (sample === undefined) throw wrong('no sample');
      if (current === undefined || !belongs(sample.name, current)) throw wrong('it does not belong to the TYPE before it');
      const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (seen.has(key)) throw wrong('twice');
      seen.add(key);
      current.samples.push(sample);
    }
  });
  for (const family of families.values()) checkFamily(family);
  return families;
}

function parseSample(line: string): Sample | undefined {
  const [, name, inner = '', number = ''] = sampleLine.exec(line) ?? [];
  if (name === undefined) return undefined;
  const labels: Record<string, string> = {};
  label.lastIndex = 0;
  while (label.lastIndex < inner.length) {
    const match = label.exec(inner);
    if (match === null || Object.hasOwn(labels, match[1] as string)) return undefined;
    labels[match[1] as string] = (match[2] as string).replace(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c));
  }
  const value = number.endsWith('Inf') ? Number(`${number}inity`) : Number(number);
  return { name, labels, value };
}

function belongs(sample: string, { name, type }: Family): boolean {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`].includes(sample) : sample === name;
}

/** Conventions of names and units, those of `promtool check metrics` among them, and what a type promises. */
function checkFamily({ name, type, samples }: Family): void {
  if ((type === 'counter') !== name.endsWith('_total')) throw new Error(`${name} is a ${type}`);
  if (/(_ms|_milliseconds|_microseconds|_kb|_mb|_kilobytes|_megabytes|_minutes|_hours|_days|_percent)(_|$)/.test(name))
    throw new Error(`${name} is not in a base unit`);
  if (/[A-Z]/.test(name) || samples.some(({ labels }) => Object.keys(labels).some((label) => /[A-Z]/.test(label))))
    throw new Error(`${name} is not in lower case`);
  if (/_(bucket|count|sum)$/.test(name)) throw new Error(`${name} ends like a part of a histogram`);
  if (/_(counter|gauge|histogram|summary)(_|$)/.test(name)) throw new Error(`${name} repeats its type`);
  if (type !== 'histogram' && samples.some(({ labels }) => Object.hasOwn(labels, 'le'))) throw new Error(`${name} has buckets`);
  if (type !== 'summary' && samples.some(({ labels }) => Object.hasOwn(labels, 'quantile')))
    throw new Error(`${name} has quantiles`);
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} is below zero`);
  if (type !== 'histogram') return;
  const series = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le, ...rest } = sample.labels;
    const key = JSON.stringify(rest);
    if ((le !== undefined) !== sample.name.endsWith('_bucket')) throw new Error(`${name} has a bucket without a bound`);
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  for (const [key, of] of series) {
    const buckets = of.filter((sample) => sample.name.endsWith('_bucket'));
    const bounds = buckets.map(({ labels }) => Number((labels['le'] as string).replace('+Inf', 'Infinity')));
    const count = of.find((sample) => sample.name.endsWith('_count'))?.value;
    const sum = of.find((sample) => sample.name.endsWith('_sum'))?.value;
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`${name}${key} does not end with +Inf`);
    if (bounds.some((bound, i) => i > 0 && !(bound > (bounds[i - 1] as number)))) throw new Error(`${name}${key}: bounds`);
    if (buckets.some(({ value }, i) => i > 0 && value < (buckets[i - 1] as Sample).value))
      throw new Error(`${name}${key}: sinks`);
    if (count === undefined || sum === undefined || count !== buckets.at(-1)?.value) throw new Error(`${name}${key}: count`);
  }
}

/** The value of one sample; `undefined` when there is none with these labels. */
export function sampleOf(
  families: Map<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const wanted = Object.entries(labels);
  return families
    .get(name.replace(/_(bucket|sum|count)$/, (part) => (families.has(name) ? part : '')))
    ?.samples.find((sample) => sample.name === name && wanted.every(([key, value]) => sample.labels[key] === value))?.value;
}
