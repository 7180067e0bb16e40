// tier: normal
/** The office of the examples, evaluated with what its simulated sensors say. */
import t from 'tap';
import { officeFloors, simulateOffice } from '../../src/lib/simulate-office.ts';
import { evaluate } from '../../src/live/evaluate/evaluate.ts';
import type { Evaluation } from '../../src/live/evaluate/evaluation.ts';
import { exampleText } from '../support/examples.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Office {
  readonly artboards: readonly (Named & { readonly objects: readonly Named[] })[];
  readonly popups: readonly Named[];
  readonly data_sources: readonly Named[];
  readonly variables: readonly Named[];
  readonly actions: readonly Named[];
}

const office: Office = JSON.parse(exampleText('office.json')).project;

function evaluated(second: number): Evaluation {
  const simulated: Readonly<Record<string, unknown>> = simulateOffice(second);
  const responses = Object.fromEntries(office.data_sources.map(({ id, name }) => [id, simulated[name]]));
  return evaluate(office as never, responses, { seed: second, now: '2026-11-24T09:30:00Z' });
}

const idOf = (list: readonly Named[], name: string): string => list.find((each) => each.name === name)?.id as string;
const objects = office.artboards.flatMap((artboard) => artboard.objects);
const createdBy = ({ created }: Evaluation, action: string) =>
  created.filter(({ action_id }) => action_id === idOf(office.actions, action));

t.test('the evaluation of the simulated office has no problems in five minutes', async (t) => {
  for (let second = 0; second <= 300; second++) {
    const { problems, values } = evaluated(second);
    if (problems.length > 0) t.strictSame(problems, [], `second ${second}`);
    if (Object.keys(values).length !== office.variables.length) t.fail(`a variable has no value at second ${second}`);
  }
});

t.test('each action of the simulated office has an effect within two minutes', async (t) => {
  const effects = new Set<string>();
  const names = new Set<string>();
  for (let second = 0; second < 120; second++) {
    const evaluation = evaluated(second);
    for (const { action_id } of evaluation.created) effects.add(action_id);
    for (const id of [...Object.keys(evaluation.objects), ...Object.keys(evaluation.popups)]) names.add(id);
  }
  const creating = office.actions.filter((action) => String((action as never as { type: string }).type).startsWith('create-'));
  t.strictSame(
    creating.filter(({ id }) => !effects.has(id)).map(({ name }) => name),
    [],
  );
  const rooms = officeFloors.flatMap((floor) => floor.rooms.map(({ name }) => name));
  t.strictSame(
    rooms.filter((name) => !names.has(idOf(objects, name))),
    [],
    'every room changes, during an evacuation at the latest',
  );
});

t.test('rooms of the office have the colours of their occupancy, and their popups the numbers', async (t) => {
  const evaluation = evaluated(45);
  const { rooms } = (simulateOffice(45) as { Occupancy: { rooms: { name: string; taken: number; seats: number }[] } }).Occupancy;
  const engineering = rooms.find(({ name }) => name === 'Engineering') as { taken: number; seats: number };
  t.match(evaluation.objects[idOf(objects, 'Engineering')], { color: /^#[0-9a-f]{6}$/, opacity: 0.6 });
  t.strictSame(evaluation.popups[idOf(office.popups, 'About Engineering')], {
    content: `<p>First floor: ${engineering.taken} of 48 seats are taken.</p>`,
  });
});

t.test('every item of the lists of the office names an object', async (t) => {
  for (const second of [0, 30, 60, 90]) {
    const { unmatched } = evaluated(second);
    t.equal(unmatched.length, 5);
    t.strictSame(
      unmatched.filter(({ items }) => items.count > 0),
      [],
      `second ${second}`,
    );
  }
});

t.test('visitors of the office are spots with their name that keep their identifier', async (t) => {
  const [before, after] = [30, 31].map((second) => createdBy(evaluated(second), 'A spot for each visitor'));
  t.ok((before?.length ?? 0) >= 5);
  const spot = before?.[0];
  t.match(spot, { object: { name: 'Ada', type: 'spot' }, popup: { title: 'Ada', content: '<p>Visits Grace, Reception.</p>' } });
  t.equal(spot?.popup?.['attachedTo'], spot?.object['id']);
  t.equal(after?.[0]?.object['id'], spot?.object['id']);
});

t.test('an evacuation of the office shows one way out of each floor, and at other times there is none', async (t) => {
  for (const { name } of officeFloors) {
    const action = `Show the way to safety, ${name.toLowerCase()}`;
    t.match(createdBy(evaluated(90), action), [{ artboard_id: idOf(office.artboards, name), object: { type: 'poly' } }]);
    t.strictSame(createdBy(evaluated(60), action), []);
  }
});
