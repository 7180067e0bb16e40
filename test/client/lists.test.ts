/** Lists in pages, and updates that depend on the current value. */
import t from 'tap';
import { cursorIn } from '../../src/web/client/pages.ts';
import { startForRequests } from '../support/mapwright.ts';
import { clientOf, json, MadeUp, refusal, refusalOf } from './support.ts';

const many = Array.from({ length: 25 }, (_, index) => ({ title: `${index}`, maxWidth: index % 2 }));
const titles = many.map(({ title }) => title);

t.test('each and pages yield every member of a list for any page length', async (t) => {
  const client = clientOf(await startForRequests(t));
  const { id } = await client.post('/projects', { body: { popups: many } });
  const path = { project_id: id };
  for (const limit of [1, 7, 25, 1000, undefined]) {
    const query = limit === undefined ? {} : { limit };
    const pages: string[][] = [];
    for await (const page of client.pages('/projects/{project_id}/popups', { params: { path, query } })) {
      pages.push(page.map(({ title }) => title));
    }
    t.strictSame(pages.flat(), titles);
    t.equal(pages.length, Math.ceil(25 / (limit ?? 100)));
  }
  const found: unknown[] = [];
  const query = { limit: 3, maxWidth: 1, sort: '-title', fields: 'title' } as const;
  for await (const popup of client.each('/projects/{project_id}/popups', { params: { path, query } })) found.push(popup.title);
  t.strictSame(
    found,
    titles
      .filter((_, index) => index % 2 === 1)
      .sort()
      .reverse(),
  );
  const projects: unknown[] = [];
  for await (const project of client.each('/projects')) projects.push(project.id);
  t.strictSame(projects, [id]);
});

t.test('a list requests only the pages that are consumed', async (t) => {
  const next = '</api/v1/projects?limit=1&cursor=two>; rel="next"';
  const { client, sent } = new MadeUp([json([{ id: 'one' }], { link: next }), json([{ id: 'two' }], { link: next })]);
  for await (const { id } of client.each('/projects', { params: { query: { limit: 1 } } })) if (id === 'two') break;
  t.strictSame(
    sent.map(({ url }) => url),
    ['http://maps.test/api/v1/projects?limit=1', 'http://maps.test/api/v1/projects?limit=1&cursor=two'],
  );
});

t.test('an error of the server ends the iteration of a list', async (t) => {
  const client = clientOf(await startForRequests(t));
  const params = { path: { project_id: 'none' } };
  t.match(await refusalOf(client.each('/projects/{project_id}/popups', { params }).next()), { code: 'not_found' });
});

t.test('the cursor of the next page is read from the Link header', async (t) => {
  t.equal(cursorIn('</api/v1/projects?limit=1&cursor=a%2Bb>; rel="next"'), 'a+b');
  t.equal(cursorIn('<https://x.test/v1/projects?cursor=c>; title="x"; rel=next'), 'c');
  t.equal(cursorIn('<?cursor=a>; rel="prev", <?cursor=b>; rel="next"'), 'b');
  for (const link of [null, '', '<?cursor=a>; rel="prev"', '<?limit=1>; rel="next"']) t.equal(cursorIn(link), undefined);
});

t.test('concurrent updates of one resource lose no change', async (t) => {
  const mapwright = await startForRequests(t);
  const client = clientOf(mapwright);
  const { id } = await client.post('/projects', { body: { popups: [{ maxWidth: 0 }] } });
  const { popups } = await client.get('/projects/{project_id}', { params: { path: { project_id: id } } });
  const params = { path: { project_id: id, popup_id: popups[0]?.id ?? '' } };
  // All have read before the first one writes, so all but that one have to begin again.
  let calls = 0;
  let release: () => void = () => undefined;
  const allHaveRead = new Promise<void>((resolve) => {
    release = resolve;
  });
  const increase = () =>
    clientOf(mapwright).update('/projects/{project_id}/popups/{popup_id}', { params }, async (popup) => {
      if (++calls === 12) release();
      await allHaveRead;
      return { maxWidth: popup.maxWidth + 1 };
    });
  await Promise.all(Array.from({ length: 12 }, increase));
  t.match(await client.get('/projects/{project_id}/popups/{popup_id}', { params }), { maxWidth: 12 });
  t.ok(calls >= 23, `${calls}`);
});

t.test('an update that returns nothing or fails changes nothing', async (t) => {
  const client = clientOf(await startForRequests(t));
  const { id } = await client.post('/projects', { body: { name: 'x' } });
  const params = { path: { project_id: id } };
  const { response } = await client.GET('/projects/{project_id}', { params });
  t.match(await client.update('/projects/{project_id}', { params }, () => undefined), { name: 'x' });
  const failure = new Error('mine');
  await t.rejects(
    client.update('/projects/{project_id}', { params }, () => Promise.reject(failure)),
    failure,
  );
  const body = { name: 3 } as never;
  t.match(await refusalOf(client.update('/projects/{project_id}', { params }, async () => body)), { code: 'validation_failed' });
  const after = await client.GET('/projects/{project_id}', { params });
  t.equal(after.response.headers.get('etag'), response.headers.get('etag'));
});

t.test('an update passes its query on, and gives up after repeated 412', async (t) => {
  const client = clientOf(await startForRequests(t));
  const { id } = await client.post('/projects', { body: { popups: [{}] } });
  const { popups } = await client.get('/projects/{project_id}', { params: { path: { project_id: id } } });
  const strict = { params: { path: { project_id: id, popup_id: popups[0]?.id ?? '' }, query: { strict: true } } };
  const dangling = client.update('/projects/{project_id}/popups/{popup_id}', strict, () => ({ attachedTo: 'nothing' }));
  t.match(await refusalOf(dangling), { code: 'validation_failed', errors: [{ pointer: '/attachedTo' }] });

  const params = { path: { project_id: 'p' } };
  let sent = 0;
  const said = ({ method }: Request) => {
    sent++;
    return method === 'GET' ? json({ name: 'x' }, { etag: '"1"' }) : refusal(412, 'precondition_failed');
  };
  const late = new MadeUp([said]);
  t.match(await refusalOf(late.client.update('/projects/{project_id}', { params }, () => ({}))), { code: 'precondition_failed' });
  t.equal(sent, 40, 'it gives up');
  t.match(late.sent[1]?.headers, { 'if-match': '"1"' });
  const untagged = new MadeUp([json({})]);
  await t.rejects(
    untagged.client.update('/projects/{project_id}', { params }, () => ({})),
    /no ETag/,
  );
});

t.test('a cycle of pages of any length is an error', async (t) => {
  for (const [before, length] of [
    [0, 1],
    [0, 2],
    [3, 5],
    [10, 7],
  ] as const) {
    let page = 0;
    const next = (): Response => {
      const place = page < before ? page : before + ((page - before) % length);
      page++;
      return json([place], { link: `</api/v1/projects?cursor=c${place}>; rel="next"` });
    };
    const { client, sent } = new MadeUp([next]);
    const readAll = async (): Promise<void> => {
      for await (const _ of client.pages('/projects')) t.ok(sent.length < 100);
    };
    t.match(await refusalOf(readAll()), { code: 'unexpected_response', detail: /form a loop/ }, `${before}, ${length}`);
    t.ok(sent.length <= 3 * (before + length) + 2, `${sent.length} requests`);
  }
});

t.test('a response that is no list is an error', async (t) => {
  for (const answer of [
    json(null),
    json(5),
    json({}),
    json('abc'),
    new Response(null, { status: 204 }),
    new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  ]) {
    const { client } = new MadeUp([answer]);
    t.match(await refusalOf(client.each('/projects').next()), { code: 'unexpected_response' });
    t.match(await refusalOf(client.pages('/projects').next()), { code: 'unexpected_response' });
  }
});
