// tier: normal, process: shared
/** Which row of a list a value belongs to, and which column finds the row again when the order changes. */
import t from 'tap';
import { DataPath } from '../../src/live/evaluate/values/data-path.ts';
import { identityOf, type RecordPlace, recordAt } from '../../src/web/console/live/record-choice.ts';

const rows = (...records: readonly object[]) => ({ rooms: records });

/** The column that identifies the second row, for a value in its member `taken`. */
const keyIn = (...records: readonly object[]): string | undefined =>
  identityOf(recordAt(rows(...records), ['rooms', '1', 'taken']) as RecordPlace)?.key;

t.test('a row is identified by id, key, name, or the first text, if all its values differ', async (t) => {
  t.equal(keyIn({ taken: 1, name: 'a', id: 1 }, { taken: 1, name: 'b', id: 2 }), 'id');
  t.equal(keyIn({ taken: 1, name: 'a', ID: 1 }, { taken: 1, name: 'b', ID: 1 }), 'name', 'not all differ');
  t.equal(keyIn({ taken: 1, label: 'a', Key: 'x' }, { taken: 1, label: 'b', Key: 'y' }), 'Key');
  t.equal(keyIn({ taken: 1, kind: 'a', label: 'a' }, { taken: 1, kind: 'a', label: 'b' }), 'label');
  t.equal(
    keyIn({ taken: 1, at: '2026-01-01T09:00:00Z', label: 'a' }, { taken: 1, at: '2026-01-01T09:01:00Z', label: 'b' }),
    'label',
  );
  t.equal(keyIn({ taken: 1, id: 1 }, { taken: 2 }), undefined, 'one has no value');
  t.equal(keyIn({ taken: 1, name: '' }, { taken: 2, name: 'b' }), undefined, 'an empty text is no name');
  t.equal(keyIn({ taken: 1, name: '01' }, { taken: 2, name: '1' }), 'name', 'texts that are no numbers');
  t.equal(keyIn({ taken: 1, name: '1.0' }, { taken: 2, name: 1 }), undefined, 'filters compare them as numbers');
  t.equal(keyIn({ taken: 1, roomNo: 4 }, { taken: 2, roomNo: 5 }), 'roomNo');
  t.equal(keyIn({ taken: 1, degrees: 4 }, { taken: 2, degrees: 5 }), undefined, 'a measured number identifies nothing');
  t.equal(keyIn({ taken: 1, 'a.b': 'x' }, { taken: 2, 'a.b': 'y' }), undefined, 'a filter goes deeper at a dot');
});

t.test('the value of another column is found by itself only if nothing else identifies the row', async (t) => {
  const both = rows({ name: 'a', label: 'x' }, { name: 'b', label: 'y' });
  t.equal(identityOf(recordAt(both, ['rooms', '0', 'name']) as RecordPlace)?.key, 'label');
  const one = rows({ name: 'a' }, { name: 'b' });
  t.equal(identityOf(recordAt(one, ['rooms', '0', 'name']) as RecordPlace)?.key, 'name');
});

t.test('a value is in the innermost list of records, and nowhere in a list of values', async (t) => {
  const root = { floors: [{ id: 'f', rooms: [{ id: 'r', free: { desks: 3 }, tags: ['x'] }] }] };
  t.match(recordAt(root, ['floors', '0', 'rooms', '0', 'free', 'desks']), {
    ...{ list: ['floors', '0', 'rooms'], row: 0, column: ['free', 'desks'] },
  });
  t.match(recordAt([{ a: 1 }], ['0', 'a']), { list: [], row: 0, column: ['a'] });
  t.equal(recordAt({ temperatures: [1, 2] }, ['temperatures', '1']), undefined);
  t.equal(recordAt({ rooms: [{ a: 1 }, 2] }, ['rooms', '0', 'a']), undefined, 'not all are records');
  const tag = recordAt(root, ['floors', '0', 'rooms', '0', 'tags', '0']) as RecordPlace;
  t.equal(identityOf(tag), undefined, 'a filter would hold for the tags');
});

t.test('the column finds the row in any order', async (t) => {
  const records = Array.from({ length: 50 }, (_, at) => ({ id: `r${at}`, taken: at }));
  const place = recordAt(rows(...records), ['rooms', '7', 'taken']) as RecordPlace;
  const { key, value } = identityOf(place) ?? {};
  const path = DataPath.from({
    ...{
      nodes: [
        { id: 'a', key: 'rooms' },
        { id: 'b', key: 'taken', parent: 'a' },
      ],
      node_id: 'b',
    },
    filters: [{ key, operator: 'equals', value }],
  });
  t.equal(path instanceof DataPath && path.read(rows(...records.toReversed())), 7);
});
