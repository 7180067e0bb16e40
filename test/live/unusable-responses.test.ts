/** Responses of another form than the variables expect. */
import t from 'tap';
import { hasUnusableResponse } from '../../src/live/evaluate/unusable-responses.ts';
import { evaluateVariables } from '../../src/live/evaluate/variables/evaluate-variables.ts';

const path = (key: string) => ({ nodes: [{ id: 'n', key }], node_id: 'n' });
const project = {
  data_sources: [{ id: 's' }, { id: 'other' }],
  variables: [
    { id: 'taken', name: 'taken', data_source_id: 's', data_path: path('taken') },
    { id: 'rooms', name: 'rooms', type: 'iterator', data_source_id: 's', data_path: path('rooms') },
    { id: 'place', name: 'place', type: 'coords-from-data-source', data_source_id: 'other', data_path: path('place') },
    { id: 'x', name: 'x', type: 'custom', data_source_id: 's', custom_value: 'always' },
  ],
};

t.test('a response is unusable if no variable that reads it has a value', async (t) => {
  const place = { place: [{ x: 1, y: 2 }] };
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, boolean])[] = [
    ['all values', { s: { taken: 1, rooms: [] }, other: place }, false],
    ['an empty list', { s: { rooms: [] } }, false],
    ['one value', { s: { taken: 0 }, other: place }, false],
    ['an empty value', { s: { taken: null } }, false],
    ['no response', {}, false],
    ['an error', { s: { error: 'offline' } }, true],
    ['an error of one of two sources', { s: { taken: 1 }, other: { error: 'offline' } }, true],
    ['no object', { s: 'offline' }, true],
    ['a list in place of an object', { s: [1] }, true],
    ['a response that nothing reads', { gone: { error: 'offline' } }, false],
  ];
  for (const [what, responses, expected] of cases) {
    const { values } = evaluateVariables(project, responses, { seed: 1, now: '2026-11-30T00:00:00Z' });
    t.equal(hasUnusableResponse(project, responses, values), expected, what);
  }
});
