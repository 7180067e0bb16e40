// tier: normal
/** Conditional requests: 304 for a known version, 412 for a changed one, and no lost updates. */
import t from 'tap';
import { type Answer, type Shown, startForRequests, startMapwright } from '../support/mapwright.ts';
import { sampled } from '../support/tier.ts';
import { leastBody, resourceNames } from './contract.ts';
import { makeWorld } from './world.ts';

const none = (etag: string) => ({ headers: { 'if-none-match': etag } });
const match = (etag: string) => ({ headers: { 'if-match': etag } });
const tagOf = ({ headers }: Pick<Answer, 'headers'>): string => String(headers.etag);

for (const name of sampled(resourceNames, 3)) {
  t.test(`${name}: If-Match and If-None-Match decide reads, writes and deletions`, async (t) => {
    const mapwright = await startMapwright(t);
    const world = await makeWorld(mapwright);
    const { id } = await world.make(name);
    const list = world.at(name);
    const one = `${list}/${id}`;
    const first = await mapwright.get(one);
    t.match(tagOf(first), /^"[0-9a-f]{16}\.[0-9a-f]{16}-[0-9a-z]+"$/, 'a strong tag');

    const again = await mapwright.get(one, none(tagOf(first)));
    t.strictSame(
      [again.status, again.text, again.headers.etag],
      [304, '', first.headers.etag],
      'what is known is not sent again',
    );
    t.equal(again.headers['content-type'], undefined);
    t.equal(again.headers['cache-control'], first.headers['cache-control']);
    t.equal((await mapwright.ask('HEAD', `/v1${one}`, none(tagOf(first)))).status, 304, 'HEAD as well');
    for (const known of ['*', `W/${tagOf(first)}`, `"other", ${tagOf(first)}`, `"a,b",W/"",${tagOf(first)}`])
      t.equal((await mapwright.get(one, none(known))).status, 304, known);
    for (const unknown of ['"other"', 'no tag', '""', `${tagOf(first).slice(0, -1)}x"`, `${tagOf(first).slice(0, -1)}-x"`, '"*"'])
      t.equal((await mapwright.get(one, none(unknown))).status, 200, unknown);

    const written = await mapwright.patch(one, { name: 'two' }, match(tagOf(first)));
    t.equal(written.status, 200, 'changed, since it is what was read');
    t.equal(tagOf(written), tagOf(await mapwright.get(one)), 'with the tag that a GET gives');
    t.not(tagOf(written), tagOf(first));
    t.equal((await mapwright.get(one, none(tagOf(first)))).status, 200, 'the older tag is another version');
    t.equal((await mapwright.get(one, match(tagOf(first)))).status, 412, 'a GET may ask for a version as well');
    t.equal((await mapwright.get(one, match(tagOf(written)))).status, 200);

    const before = (await mapwright.get(one)).text;
    for (const condition of [
      match(tagOf(first)),
      match('"other"'),
      match(`W/${tagOf(written)}`),
      none('*'),
      none(tagOf(written)),
      none(`W/${tagOf(written)}`),
      { headers: { 'if-match': tagOf(written), 'if-none-match': '*' } },
    ]) {
      const refused = await mapwright.patch(one, { name: 'three' }, condition);
      t.equal(refused.status, 412, JSON.stringify(condition.headers));
      t.equal(refused.problem.code, 'precondition_failed');
      t.equal((await mapwright.delete(one, condition)).status, 412);
    }
    for (const malformed of ['other', '"a" "b"', '', ' ', '"a",', '"a', '*, "a"']) {
      const sent = malformed === '' ? ' ' : malformed;
      for (const [name, condition] of [
        ['If-Match', match(sent)],
        ['If-None-Match', none(sent)],
      ] as const) {
        const refused = await mapwright.patch(one, { name: 'three' }, condition);
        t.equal(refused.status, 400, `${name}: ${malformed}`);
        t.strictSame(refused.problem.errors, [{ pointer: '', header: name, detail: refused.problem.detail }]);
        t.match(refused.problem.detail, new RegExp(`^${name} must be`));
      }
    }
    t.equal((await mapwright.get(one)).text, before, 'and nothing changed');

    t.equal((await mapwright.patch(one, { name: 5 }, match(tagOf(first)))).status, 412, 'stale before wrong');
    t.equal((await mapwright.patch(one, { name: 5 }, match(tagOf(written)))).status, 400);
    const same = await mapwright.patch(one, { name: 'two' }, match('*'));
    t.strictSame([same.status, tagOf(same)], [200, tagOf(written)], 'what changes nothing makes no version');
    const someFields = tagOf(await mapwright.get(`${one}?fields=name`));
    t.not(someFields, tagOf(written));
    t.equal(
      (await mapwright.patch(one, { name: 'four' }, match(someFields))).status,
      200,
      'a tag of some fields is of the same version',
    );

    const listed = await mapwright.get(list);
    t.equal((await mapwright.get(list, none(tagOf(listed)))).status, 304, 'lists too');
    t.equal((await mapwright.get(`${list}?limit=1`, none(tagOf(listed)))).status, 200, 'a page is another answer');
    const body = leastBody(name);
    t.equal((await mapwright.post(list, body, match('"other"'))).status, 412, 'a create on condition that the list is known');
    t.equal((await mapwright.post(list, body, match(tagOf(listed)))).status, 200);
    t.equal((await mapwright.post(list, body, match(tagOf(listed)))).status, 412);
    const made = await mapwright.post(list, body);
    t.equal(tagOf(made), tagOf(await mapwright.get(`${list}/${made.shown.id}`)), 'a create answers with its tag');

    await mapwright.server.snapshot();
    const last = tagOf(await mapwright.get(one));
    await mapwright.crash();
    t.equal((await mapwright.get(one, none(last))).status, 304, 'tags outlive a kill');
    t.equal((await mapwright.delete(one, match(last))).status, 204);
    for (const condition of [match(last), match('*'), none('*')])
      t.equal((await mapwright.delete(one, condition)).status, 404, 'what is gone is 404, whatever the condition');
  });
}
t.test('the tags of problems and exports change with their project', async (t) => {
  const mapwright = await startForRequests(t);
  const world = await makeWorld(mapwright);
  for (const at of ['problems', 'problems?limit=1', 'export']) {
    const address = `/projects/${world.projectId}/${at}`;
    const first = await mapwright.get(address);
    t.equal((await mapwright.get(address, none(tagOf(first)))).status, 304, at);
    await world.make('Popup');
    const again = await mapwright.get(address, none(tagOf(first)));
    t.equal(again.status, 200, `${at}: something came`);
    t.not(tagOf(again), tagOf(first));
  }
});

t.test('concurrent editors that write with If-Match lose no update', async (t) => {
  const mapwright = await startMapwright(t);
  const project = (await mapwright.post('/projects', { artboards: [{ objects: [{ type: 'spot', x: 0 }] }] })).shown;
  const [artboard] = project['artboards'] as { id: string; objects: Shown[] }[];
  const one = `/projects/${project.id}/artboards/${artboard?.id}/objects/${artboard?.objects[0]?.id}`;
  let made = 0;
  let refused = 0;
  const editor = async (): Promise<void> => {
    for (let i = 0; i < 25; ) {
      const read = await mapwright.get(one);
      const written = await mapwright.patch(one, { x: (read.shown['x'] as number) + 1 }, match(tagOf(read)));
      if (written.status === 200) {
        i++;
        made++;
      } else if (written.status === 412) refused++;
      else throw new Error(`${written.status} ${written.text}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, editor));
  t.ok(refused > 0, `${refused} came too late`);
  t.equal((await mapwright.get(one)).shown['x'], made);
  await mapwright.crash();
  t.equal((await mapwright.get(one)).shown['x'], made);
});

t.test('a key for some projects writes with the tags that it has read', async (t) => {
  const mapwright = await startForRequests(t);
  const { id } = (await mapwright.post('/projects', {})).shown;
  const { key } = await mapwright.server.createKey('ann', { projects: [id] });
  const read = await mapwright.get(`/projects/${id}`, { key });
  const written = await mapwright.patch(`/projects/${id}`, { name: 'x' }, { key, ...match(tagOf(read)) });
  t.equal(written.status, 200);
  t.equal((await mapwright.get(`/projects/${id}`, { key, ...none(tagOf(written)) })).status, 304);
});
