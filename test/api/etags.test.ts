// tier: normal
/** Entity tags of keys that see different things. What a tag stands for is a part of the model (model.test.ts). */
import t from 'tap';
import { type Mapwright, startForRequests } from '../support/mapwright.ts';

async function tagOf(mapwright: Mapwright, at: string, key?: string): Promise<string> {
  const { headers, status } = await mapwright.get(at, key === undefined ? {} : { key });
  if (status !== 200) throw new Error(`${at}: ${status}`);
  return String(headers.etag);
}

t.test('keys with different projects get different tags for the list of projects', async (t) => {
  const mapwright = await startForRequests(t);
  const [one] = await Promise.all(['one', 'other'].map(async (name) => (await mapwright.post('/projects', { name })).shown.id));
  const { key } = await mapwright.server.createKey('ann', { projects: [one as string] });
  t.not(await tagOf(mapwright, '/projects', key), await tagOf(mapwright, '/projects'));
});
