/** Each flag of `serve` by its declaration: what it means for the server, and values of a wrong kind. */
import t from 'tap';
import { type ServeArguments, serveFlags, serveOptions, serverOptionsOf } from '../../src/cli/commands/serve/serve-options.ts';
import { InvalidOption, mebibyte } from '../../src/lib/option-declaration.ts';

/** The arguments of a command line without flags. */
const defaults = Object.fromEntries(
  Object.entries(serveOptions).map(([flag, option]) => [flag, (option as { default?: unknown }).default]),
);
const optionsOf = (given: object) => serverOptionsOf({ ...defaults, ...given } as unknown as ServeArguments);

interface Declared {
  readonly range?: readonly number[];
  readonly byDefault?: unknown;
  parse(given: unknown): unknown;
  fromFlag(argument: unknown): unknown;
}

t.test('the default of each flag is that of its option', async (t) => {
  let numbers = 0;
  for (const [name, { range, byDefault, parse, fromFlag }] of serveFlags as readonly (readonly [string, Declared])[]) {
    if (range === undefined) continue;
    numbers++;
    t.equal(fromFlag(parse(byDefault)), range[0], name);
  }
  t.ok(numbers > 30, `${numbers} flags with a number`);
});

t.test('a flag in a unit sets its option in bytes and milliseconds', async (t) => {
  const { quotas, limits, segmentBytes, dataTimeoutMs } = optionsOf({
    ...{ 'account-mb': 5, 'account-projects-max': 7, 'account-versions-max': Number.POSITIVE_INFINITY },
    ...{ 'body-mb': 3, 'url-kb': 4, 'headers-timeout': 2, 'segment-mb': 8, 'data-timeout': 500 },
  });
  t.match(quotas, { bytes: 5 * mebibyte, projects: 7, versions: Number.MAX_SAFE_INTEGER });
  t.match(limits, { bodyBytesMax: 3 * mebibyte, urlBytesMax: 4096, headersTimeoutMs: 2000 });
  t.same([segmentBytes, dataTimeoutMs], [8 * mebibyte, 500]);
});

function errorOf(parse: () => unknown): unknown {
  try {
    parse();
  } catch (error) {
    return error;
  }
  return undefined;
}

t.test('a negated flag and a number in a file are no text', async (t) => {
  const texts = serveFlags.filter(([, { kind, choices }]) => kind === 'string' && choices === undefined);
  t.ok(texts.length > 8, `${texts.length} flags with a text`);
  for (const [name, { parse }] of texts) {
    const refused = name === 'trustProxy' ? [false, true] : [false, true, 5, 0];
    for (const given of refused) t.ok(errorOf(() => parse(given)) instanceof InvalidOption, `${name}: ${given}`);
  }
});

t.test('a message has the value as it was given', async (t) => {
  t.throws(() => optionsOf({ 'bodies-mb': 0.5 }), /--bodies-mb is 0\.5\. It must be at least twice --body-mb/);
});
