/** The way back: one version before the work of an hour, for each key and project; and no change without it. */
import t from 'tap';
import { AgentVersions } from '../../src/mcp/agent-versions.ts';
import { MapsApi } from '../../src/mcp/maps-api.ts';

const hourMs = 3_600_000;

/** A server that keeps versions, or refuses to. */
function world(label = 'Planner') {
  let now = 0;
  const kept: string[] = [];
  const state = { refusal: undefined as object | undefined, isDeleted: false };
  const send = async (request: Request): Promise<Response> => {
    if (request.url.endsWith('/me')) return Response.json({ key: { id: 'k1', label } });
    if (request.method === 'GET') return Response.json(state.isDeleted ? [] : [{}]);
    if (state.refusal !== undefined) return Response.json(state.refusal, { status: 403 });
    const { name } = (await request.json()) as { name: string };
    kept.push(`${new URL(request.url).pathname} ${name}`);
    return Response.json({ id: `v${kept.length}`, name });
  };
  const api = (caller: string) => new MapsApi(send, 'http://any/v1', { caller, authorization: 'Bearer x' });
  const versions = new AgentVersions(() => now);
  return {
    ...{ kept, state },
    pass: (ms: number) => {
      now += ms;
    },
    before: (project: string, caller = 'k1') => versions.before(api(caller), project),
    changed: (project: string) => versions.changed(api('k1'), project),
  };
}

t.test('the first change of an hour keeps a version, later ones name it', async (t) => {
  const { before, changed, kept, pass } = world();
  const first = await before('p');
  t.strictSame(first, { id: 'v1', name: 'before agent Planner' });
  for (let i = 0; i < 5; i++) {
    pass(hourMs - 1);
    t.strictSame(await before('p'), first, 'an hour without a change has not passed');
    changed('p');
  }
  pass(hourMs);
  t.equal((await before('p')).id, 'v2');
  t.equal((await before('q')).id, 'v3', 'each project');
  t.equal((await before('p', 'k2')).id, 'v4', 'each key');
  pass(-2 * hourMs);
  t.equal((await before('p')).id, 'v5', 'a clock that was set back proves nothing');
  t.strictSame(kept.slice(0, 1), ['/v1/projects/p/versions before agent Planner']);
});

t.test('changes at the same time share one version', async (t) => {
  const { before, kept } = world();
  const found = await Promise.all(Array.from({ length: 20 }, () => before('p')));
  t.equal(new Set(found.map(({ id }) => id)).size, 1);
  t.equal(kept.length, 1);
});

t.test('a change that was refused does not go on with the work', async (t) => {
  const { before, pass } = world();
  await before('p');
  pass(hourMs - 1);
  await before('p');
  pass(1);
  t.equal((await before('p')).id, 'v2');
});

t.test('if somebody has deleted the version, another one is kept', async (t) => {
  const { before, state } = world();
  await before('p');
  state.isDeleted = true;
  const found = await Promise.all([before('p'), before('p'), before('p')]);
  t.strictSame(
    found.map(({ id }) => id),
    ['v2', 'v2', 'v2'],
  );
});

t.test('if no version can be kept, the change is refused, and the next one tries again', async (t) => {
  const { before, state } = world();
  state.refusal = { detail: 'Quota exceeded.' };
  await t.rejects(before('p'), { message: /^Nothing was changed, because / });
  state.refusal = undefined;
  t.equal((await before('p')).id, 'v1');
});

t.test('a version is named by the label of the key, which may be long or missing', async (t) => {
  t.equal((await world('').before('p')).name, 'before agent k1');
  t.equal((await world('é'.repeat(300)).before('p')).name, `before agent ${'é'.repeat(100)}`);
});
