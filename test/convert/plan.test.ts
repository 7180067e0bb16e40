// tier: normal, process: shared
/** What an import does with the objects that an artboard has, and its batches. */
import t from 'tap';
import { type ImportOperation, importBatches } from '../../src/web/convert/plan/import-batches.ts';
import { planImport } from '../../src/web/convert/plan/plan-import.ts';
import { convertText } from './support.ts';

const rows = (keys: readonly string[]): string => `name,lat,lng,id\n${keys.map((key) => `n${key},48.2,16.37,${key}\n`).join('')}`;
const mapping = { key: 'id', popupTitle: '{name}' };
const briefly = ({ method, path, as }: ImportOperation): string => [method, path, ...(as === undefined ? [] : [as])].join(' ');

t.test('a second import updates objects by key, without their style, and keeps or deletes the missing ones', async (t) => {
  const conversion = await convertText(rows(['1', '2']), { mapping });
  const existing = [
    { id: 'A', key: '1', name: 'old' },
    { id: 'B', key: '3', name: 'gone' },
    { id: 'C', name: 'drawn by hand' },
    { id: 'D', key: '', name: 'drawn by hand' },
  ];
  const kept = planImport(conversion, existing, 'keep');
  t.same(
    kept.create.map(({ body }) => body['key']),
    ['2'],
  );
  t.same(
    kept.update.map(({ id }) => id),
    ['A'],
  );
  t.same(Object.keys(kept.update[0]?.body ?? {}).sort(), ['key', 'name', 'type', 'x', 'y']);
  t.same(kept.remove, []);
  const deleted = planImport(conversion, existing, 'delete');
  t.same(deleted.remove, [{ id: 'B', name: 'gone' }]);
  const popups = [
    { id: 'P', attachedTo: 'A' },
    { id: 'Q', attachedTo: 'B' },
  ];
  const [batch, ...others] = [...importBatches(deleted, 'X', popups)];
  t.same(others, []);
  t.same(batch?.operations.map(briefly), [
    'POST /artboards/X/objects object0',
    'POST /popups',
    'PATCH /artboards/X/objects/A',
    'PATCH /popups/P',
    'DELETE /popups/Q',
    'DELETE /artboards/X/objects/B',
  ]);
  t.equal(batch?.operations[1]?.body?.['attachedTo'], '{object0}');
});

t.test('the second import of an unchanged file creates nothing', async (t) => {
  const conversion = await convertText(rows(['1', '2', '3']), { mapping });
  const existing = conversion.objects.map(({ body }, i) => ({
    id: `${i}`,
    key: String(body['key']),
    name: String(body['name']),
  }));
  const plan = planImport(conversion, existing, 'delete');
  t.same([plan.create.length, plan.update.length, plan.remove.length], [0, 3, 0]);
});

t.test('batches have at most 1,000 operations, and an object is in one batch with its popups', async (t) => {
  const conversion = await convertText(rows(Array.from({ length: 1700 }, (_, i) => String(i))), { mapping });
  const batches = [...importBatches(planImport(conversion, [], 'keep'), 'X')];
  t.same(
    batches.map(({ operations }) => operations.length),
    [1000, 1000, 1000, 400],
  );
  for (const { operations } of batches)
    for (const { body } of operations)
      if (body?.['attachedTo'] !== undefined) t.ok(operations.some(({ as }) => `{${as}}` === body['attachedTo']));
});

t.test('batches of large polygons are smaller than a request may be', async (t) => {
  const coords = Array.from({ length: 30_000 }, (_, i) => ({ x: i / 3, y: i / 7 }));
  const objects = Array.from({ length: 5 }, () => ({
    body: { type: 'poly', name: 'n', coords },
    styles: [],
    row: undefined,
    at: '',
  }));
  const batches = [...importBatches(planImport({ objects, popups: [] }, [], 'keep'), 'X')];
  t.ok(batches.length > 1);
  for (const batch of batches) t.ok(JSON.stringify(batch).length < 5 * 1024 * 1024);
  t.equal(
    batches.reduce((sum, { operations }) => sum + operations.length, 0),
    5,
  );
});
