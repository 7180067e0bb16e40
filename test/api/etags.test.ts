// tier: normal
/** Entity tags: no tag stands for two representations, through changes, snapshots, restarts and kills. */
import t from 'tap';
import { type Mapwright, startForRequests, startMapwright } from '../support/mapwright.ts';
import { Chance } from '../support/random.ts';
import { seed, sized } from '../support/tier.ts';

const strong = /^"[\x21\x23-\x7e]+"$/;

async function tagOf(mapwright: Mapwright, at: string, key?: string): Promise<string> {
  const { headers, status } = await mapwright.get(at, key === undefined ? {} : { key });
  if (status !== 200) throw new Error(`${at}: ${status}`);
  return String(headers.etag);
}

t.test('an entity tag never stands for two representations, through snapshots, restarts and kills', async (t) => {
  const mapwright = await startMapwright(t);
  const chance = new Chance(seed);
  const answers = new Map<string, string>();
  const project = (await mapwright.post('/projects', { artboards: [{ objects: [{ type: 'spot' }] }], popups: [{}] })).shown;
  const [artboard] = project['artboards'] as { id: string; objects: { id: string }[] }[];
  const root = `/projects/${project.id}`;
  const objects = `${root}/artboards/${artboard?.id}/objects`;
  const lists = ['/projects', `${root}/artboards`, objects, `${root}/popups`, `${root}/variables`];
  const members = [root, `${root}/artboards/${artboard?.id}`, `${objects}/${artboard?.objects[0]?.id}`];
  const queries = [
    '',
    '?fields=name',
    '?fields=id,name',
    '?limit=1',
    '?limit=2&fields=name',
    '?sort=-name&limit=3',
    '?name=Untitled%20Popup&limit=9',
  ];

  async function look(): Promise<void> {
    for (const at of [...lists, ...members]) {
      for (const query of queries) {
        if (members.includes(at) && query.includes('limit')) continue;
        const { status, text, headers } = await mapwright.get(at + query);
        if (status === 404) continue;
        if (status !== 200 || !strong.test(String(headers.etag))) t.fail(`${at}${query}: ${status} ${headers.etag}`);
        const name = `${at} ${headers.etag}`;
        if ((answers.get(name) ?? text) !== text) t.fail(`${name} stands for two answers (seed ${seed})`);
        answers.set(name, text);
      }
    }
  }

  for (let step = 0; step < sized({ sample: 10, all: 60 }); step++) {
    const at = chance.pick([...lists]);
    const does = chance.pick(['create', 'create', 'update', 'delete', 'reorder', 'snapshot', 'restart', 'crash']);
    const present = (await mapwright.get(at)).list.map(({ id }) => id).filter((id) => !members.some((kept) => kept.endsWith(id)));
    const one = present.length === 0 ? undefined : `${at}/${chance.pick(present)}`;
    if (does === 'create')
      await mapwright.post(at, at === objects ? { type: 'spot' } : at.endsWith('variables') ? { key: 'k' } : {});
    else if (does === 'update' && one !== undefined) await mapwright.patch(one, { name: `name ${step}` });
    else if (does === 'delete' && one !== undefined) await mapwright.delete(one);
    else if (does === 'reorder') {
      const ids = (await mapwright.get(`${root}/popups`)).list.map(({ id }) => ({ id }));
      await mapwright.patch(root, { popups: ids.reverse() });
    } else if (does === 'snapshot') await mapwright.server.snapshot();
    else if (does === 'restart') await mapwright.restart();
    else if (does === 'crash') await mapwright.crash();
    await look();
  }
  t.ok(answers.size > 100, `${answers.size} representations have different tags`);
});

t.test('a resource that did not change keeps its tag, also through a restart', async (t) => {
  const mapwright = await startMapwright(t);
  const [one, other] = await Promise.all(
    ['one', 'other'].map(async (name) => (await mapwright.post('/projects', { name })).shown.id),
  );
  const popup = (await mapwright.post(`/projects/${one}/popups`, {})).shown.id;
  await mapwright.post(`/projects/${other}/popups`, {});
  const kept = [`/projects/${other}`, `/projects/${other}/popups`, `/projects/${one}/popups/${popup}`];
  const before = await Promise.all(kept.map((at) => tagOf(mapwright, at)));
  const whole = await tagOf(mapwright, `/projects/${one}`);
  await mapwright.post(`/projects/${one}/popups`, {});
  t.not(await tagOf(mapwright, `/projects/${one}`), whole, 'a project changes with what is in it');
  t.same(await Promise.all(kept.map((at) => tagOf(mapwright, at))), before);
  await mapwright.server.snapshot();
  await mapwright.restart();
  t.same(await Promise.all(kept.map((at) => tagOf(mapwright, at))), before);
});

t.test('keys with different projects get different tags for the list of projects', async (t) => {
  const mapwright = await startForRequests(t);
  const [one] = await Promise.all(['one', 'other'].map(async (name) => (await mapwright.post('/projects', { name })).shown.id));
  const { key } = await mapwright.server.createKey('ann', { projects: [one as string] });
  t.not(await tagOf(mapwright, '/projects', key), await tagOf(mapwright, '/projects'));
});
