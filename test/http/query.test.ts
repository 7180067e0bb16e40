import t from 'tap';
import { Problem } from '../../src/http/problem.ts';
import { fieldsOf, limitOf, parseQuery } from '../../src/http/request/query.ts';
import fc from '../support/fast-check.ts';
import { sized } from '../support/tier.ts';

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return error.detail;
    throw error;
  }
  return 'nothing was refused';
}

t.test('query parameters are percent-decoded, and "+" is a space', async (t) => {
  const known = ['limit', 'cursor', 'fields'];
  t.strictSame({ ...parseQuery('', known) }, {});
  t.strictSame({ ...parseQuery('limit=5&cursor=a%2Bb+c%3D%26&', known) }, { limit: '5', cursor: 'a+b c=&' });
  t.strictSame({ ...parseQuery('cursor', known) }, { cursor: '' });
  t.strictSame({ ...parseQuery('cursor=a=b', known) }, { cursor: 'a=b' });
  t.strictSame({ ...parseQuery('l%69mit=5', known) }, { limit: '5' });
});

t.test('an unknown, repeated or malformed query parameter is refused with a correction', async (t) => {
  const known = ['limit', 'cursor'];
  t.match(
    refusal(() => parseQuery('limits=5', known)),
    /Unknown query parameter "limits"; the parameters are: "limit", "cursor"\. Did you mean "limit"\?/,
  );
  t.match(
    refusal(() => parseQuery('offset=5', known)),
    /"offset"; the parameters are: "limit", "cursor"\.$/,
  );
  t.match(
    refusal(() => parseQuery('x', [])),
    /this endpoint takes none/,
  );
  t.match(
    refusal(() => parseQuery('=1', known)),
    /Unknown query parameter ""/,
  );
  t.match(
    refusal(() => parseQuery('__proto__=1', known)),
    /Unknown query parameter/,
  );
  t.match(
    refusal(() => parseQuery('Limit=1', known)),
    /Did you mean "limit"/,
  );
  t.match(
    refusal(() => parseQuery('limit=1&limit=1', known)),
    /more than once/,
  );
  t.match(
    refusal(() => parseQuery('cursor=&cursor=', known)),
    /more than once/,
  );
  t.match(
    refusal(() => parseQuery('cursor=%', known)),
    /percent-encoded/,
  );
  t.match(
    refusal(() => parseQuery('cursor=%ff', known)),
    /percent-encoded/,
  );
  t.equal(
    refusal(() => parseQuery('offset=5', known, (name) => (name === 'offset' ? 'Take "cursor" instead.' : undefined))),
    'Take "cursor" instead.',
  );
  t.match(
    refusal(() => parseQuery('toString=5', known, () => undefined)),
    /Unknown query parameter "toString"/,
  );
  t.ok(refusal(() => parseQuery('x'.repeat(8000), known)).length < 300);
});

t.test('the parameter "limit" is a whole number from 1 to 1000', async (t) => {
  t.equal(limitOf({}), undefined);
  t.equal(limitOf({ limit: '1' }), 1);
  t.equal(limitOf({ limit: '1000' }), 1000);
  for (const limit of ['', '0', '1001', '9999', '-1', '+1', '01', '1.0', '1e2', '0x1', ' 1', 'NaN', '٣']) {
    t.match(
      refusal(() => limitOf({ limit })),
      /from 1 to 1000/,
      limit,
    );
  }
});

t.test('the parameter "fields" selects known members in their own order', async (t) => {
  const members = ['id', 'name', 'osm_lat'];
  t.equal(fieldsOf({}, members), undefined);
  t.strictSame(fieldsOf({ fields: 'osm_lat,name' }, members), ['name', 'osm_lat'], 'in the order of the members');
  t.match(
    refusal(() => fieldsOf({ fields: 'osmLat' }, members)),
    /"osmLat", which does not exist\. Did you mean "osm_lat"/,
  );
  t.match(
    refusal(() => fieldsOf({ fields: '' }, members)),
    /comma-separated/,
  );
  t.match(
    refusal(() => fieldsOf({ fields: 'name,' }, members)),
    /comma-separated/,
  );
  t.match(
    refusal(() => fieldsOf({ fields: 'name,name' }, members)),
    /more than once/,
  );
});

t.test('any query is parsed as by URLSearchParams, or refused', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '=', '&', '%', '4', '1', '+', 'é'), maxLength: 12 });
  fc.assert(
    fc.property(text, (raw) => {
      const known = ['a', 'b', 'aa', 'ab', 'A'];
      try {
        const values = parseQuery(raw, known);
        return JSON.stringify(values) === JSON.stringify(Object.fromEntries(new URLSearchParams(raw)));
      } catch (error) {
        return error instanceof Problem && error.status === 400;
      }
    }),
    { numRuns: sized({ sample: 250, all: 1000 }) },
  );
});
