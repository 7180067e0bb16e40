/** The words of a wall: the time of day, and the state of the data. */
import t from 'tap';
import { dataWords, TimeWords } from '../../src/web/viewer/element/wall/data-words.ts';
import { wallTextsFor } from '../../src/web/viewer/element/wall/wall-texts.ts';

const now = new Date(2026, 4, 4, 12, 0).getTime();
const at = new Date(2026, 4, 4, 9, 27).getTime();
const yesterday = new Date(2026, 4, 3, 18, 2).getTime();
const iso = (time: number): string => new Date(time).toISOString();

t.test('the words say if the data are current, and else since when they are not', async (t) => {
  const words = (live: object, answeredAt = at, language = 'en-GB'): string =>
    dataWords(live, answeredAt, now, new TimeWords([language]), wallTextsFor([language]));
  t.equal(words({}), 'Data current, 09:27', 'an event without a state is that of a fresh map');
  t.equal(words({ state: 'fresh', since: iso(yesterday) }), 'Data current, 09:27');
  t.equal(words({ state: 'stale', since: iso(at) }, now), 'Data from 09:27');
  t.equal(words({ state: 'failed', since: iso(at) }, now), 'Data from 09:27');
  t.equal(words({ state: 'failed' }), 'No current data');
  t.equal(words({ state: 'stale', since: 'soon' }), 'No current data');
  t.equal(words({ state: 'stale', since: iso(at) }, now, 'de'), 'Daten von 09:27');
  t.equal(words({}, at, 'de'), 'Daten aktuell, 09:27');
});

t.test('a time of another day has its day', async (t) => {
  const words = new TimeWords(['en-GB']);
  t.equal(words.momentOf(at, now), '09:27');
  t.match(words.momentOf(yesterday, now), /^3 May.* 18:02$/);
  t.equal(words.timeOf(yesterday), '18:02');
});
