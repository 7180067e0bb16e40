/** The limits of one resource: vertices, values, and distinct shapes of objects. */
import t from 'tap';
import { type Shown, startForRequests } from '../support/mapwright.ts';

/** Of one object, and of one resource. */
const [verticesMax, ownValuesMax] = [50_000, 100_000];

const polygon = (vertices: number) => ({ type: 'poly', coords: Array.from({ length: vertices }, (_, i) => ({ x: i, y: 1 })) });
const settings = (values: number) => ({ settings: { a: Array.from({ length: values - 2 }, () => 0) } });

t.test('too many vertices or values are refused with 400 by every kind of write', async (t) => {
  const mapwright = await startForRequests(t);
  const project = (
    await mapwright.post('/projects', { artboards: [{ objects: [polygon(verticesMax)] }], ...settings(ownValuesMax) })
  ).shown as Shown & { artboards: { id: string; objects: Shown[] }[] };
  const [artboard] = project.artboards;
  const at = `/projects/${project.id}`;
  const objects = `${at}/artboards/${artboard?.id}/objects`;
  const before = (await mapwright.get(at)).text;
  const tooMany = polygon(verticesMax + 1);
  const document = (project: object) => ({ format: 'mapwright-project', version: 1, project });
  const operations = [{ method: 'PATCH', path: '/', body: settings(ownValuesMax + 1) }];
  const attempts: [way: string, answer: Awaited<ReturnType<typeof mapwright.post>>, pointer: string][] = [
    ['POST', await mapwright.post(objects, tooMany), '/coords'],
    ['PATCH', await mapwright.patch(`${objects}/${artboard?.objects[0]?.id}`, { coords: tooMany.coords }), '/coords'],
    ['whole', await mapwright.patch(at, { artboards: [{ objects: [tooMany] }] }), '/artboards/0/objects/0/coords'],
    ['settings', await mapwright.patch(at, settings(ownValuesMax + 1)), '/settings'],
    ['batch', await mapwright.post(`${at}/batch`, { operations }), '/operations/0/body/settings'],
    [
      'import',
      await mapwright.post('/projects/import', document({ artboards: [{ objects: [tooMany] }] })),
      '/project/artboards/0/objects/0/coords',
    ],
    ['import', await mapwright.post('/projects/import', document(settings(ownValuesMax + 1))), '/project/settings'],
  ];
  for (const [way, { status, problem }, pointer] of attempts) {
    t.equal(status, 400, way);
    t.strictSame(
      problem.errors?.map((error) => error.pointer),
      [pointer],
      way,
    );
    t.match(problem.detail, pointer.endsWith('coords') ? /to 50001: at most 50000/ : /above 100000/, way);
  }
  t.equal((await mapwright.get(at)).text, before, 'nothing was changed');
});

t.test('too many distinct sequences of member names are refused with 413 in bodies and imports', async (t) => {
  const mapwright = await startForRequests(t);
  const names = { settings: { a: Array.from({ length: 20_001 }, (_, i) => ({ [`n${i}`]: 0 })) } };
  const imported = { format: 'mapwright-project', version: 1, project: names };
  for (const answer of [await mapwright.post('/projects', names), await mapwright.post('/projects/import', imported)]) {
    t.equal(answer.status, 413);
    t.match(answer.problem, {
      code: 'payload_too_large',
      detail: /20001 distinct sequences of member names; the limit is 20000/,
    });
  }
  t.strictSame((await mapwright.get('/projects')).list, []);
});
