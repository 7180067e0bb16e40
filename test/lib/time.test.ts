/** Durations and times as text. */
import t from 'tap';
import { durationMs, momentMs } from '../../src/lib/text/time.ts';

t.test('a duration is a whole number with a unit', async (t) => {
  const cases: [string, number | undefined][] = [
    ['0', 0],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['24h', 86_400_000],
    ['90d', 7_776_000_000],
    ['8w', 4_838_400_000],
    ['0d', 0],
    ['99999w', 60_479_395_200_000],
  ];
  for (const [text, ms] of cases) t.equal(durationMs(text), ms, text);
  for (const text of ['', '1', '90', 'd', '-1d', '+1d', '1.5d', '1 d', '1y', '1D', '1d ', '999999d', '1d1h', 'Infinityd'])
    t.equal(durationMs(text), undefined, `"${text}"`);
});

t.test('a moment is a date or a time with its zone', async (t) => {
  const cases: [string, string][] = [
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31t12:00:00.5z', '2027-01-31T12:00:00.500Z'],
    ['2027-01-31T00:30:00+02:00', '2027-01-30T22:30:00.000Z'],
    ['2027-01-31T23:59:59-11:30', '2027-02-01T11:29:59.000Z'],
  ];
  for (const [text, iso] of cases) t.equal(new Date(momentMs(text) as number).toISOString(), iso, text);
  const wrong = [
    '',
    'soon',
    '2027',
    '2027-1-31',
    '2027-02-31',
    '2027-02-29',
    '2027-13-01',
    '2027-00-01',
    '31.1.2027',
    '2027-01-31T12:00:00',
  ];
  wrong.push(
    '2027-01-31 12:00:00Z',
    '2027-01-31T24:00:00Z',
    '2027-01-31T12:60:00Z',
    '2027-02-31T12:00:00Z',
    '2027-01-31T12:00Z',
    '1800000000000',
  );
  for (const text of wrong) t.equal(momentMs(text), undefined, `"${text}"`);
});
