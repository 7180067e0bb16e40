// tier: normal
/** An agent builds the shopping centre from two tables, in twenty calls. What the tools and the calls cost, in tokens. */
import fs from 'node:fs';
import path from 'node:path';
import { encode } from 'gpt-tokenizer';
import t from 'tap';
import { exampleText } from '../support/examples.ts';
import { startForRequests } from '../support/mapwright.ts';
import { agentOf, type Called } from './agent-client.ts';

/** What an agent reads before it does anything, and the whole work. */
const tokensMax = { tools: 4_000, scenario: 20_000 } as const;
/** A folder that gets the pictures, to look at them. */
const { PICTURES: pictures } = process.env;

interface Shop {
  readonly name: string;
  readonly key?: string;
  readonly category?: string;
  readonly coords: readonly { readonly x: number; readonly y: number }[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** The shops of a floor as the manager of the centre would have them. */
function tableOf({ objects }: { readonly objects: readonly Shop[] }): string {
  const shops = objects.filter(({ key, coords }) => key !== undefined && key !== '' && coords.length > 2);
  const rows = shops.map(({ name, key, category, coords, properties = {} }) => {
    const ring = [...coords, ...coords.slice(0, 1)].map(({ x, y }) => `${x} ${y}`).join(', ');
    return [key, name, category, properties['hours'], properties['website'], `"POLYGON((${ring}))"`].join(';');
  });
  return ['Unit;Shop;Category;Hours;Website;Shape', ...rows].join('\n');
}

t.test('a shopping centre in twenty calls', async (t) => {
  const { project: example } = JSON.parse(exampleText('shopping-centre.json'));
  const [ground, upper] = example.artboards.map(tableOf) as [string, string];
  const mapwright = await startForRequests(t);
  const { key } = await mapwright.server.createKey('ann', { label: 'Planner' });
  const agent = await agentOf(t, mapwright, key);
  const tools = encode(JSON.stringify(await agent.client.listTools())).length;
  t.ok(tools <= tokensMax.tools, `${tools} tokens of tools`);

  let [calls, tokens] = [0, 0];
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Called> => {
    const result = await agent.call(name, args);
    t.equal(result.error, undefined, `${name}: ${JSON.stringify(result.error)}`);
    calls++;
    tokens += encode(JSON.stringify(args)).length + encode(JSON.stringify(result)).length;
    return result;
  };
  const look = async (name: string, args: Record<string, unknown>) => {
    calls++;
    const { content } = await agent.client.callTool({ name: 'picture', arguments: args });
    const image = content.find((part) => part.type === 'image');
    t.ok(image);
    if (pictures !== undefined) fs.writeFileSync(path.join(pictures, `${name}.png`), Buffer.from(image?.data ?? '', 'base64'));
  };

  t.strictSame((await call('find')).data, []);
  const floor = { type: 'color', bg_color: '#f8fafc', width: 1200, height: 900 };
  const made = await call('change', {
    new_project: 'Shopping centre',
    operations: [
      { method: 'POST', path: '/artboards', body: { ...floor, name: 'Ground floor' } },
      { method: 'POST', path: '/artboards', body: { ...floor, name: 'Upper floor' } },
    ],
  });
  const { project } = made.data;
  const [groundId, upperId] = made.data.results.map(({ id }: { id: string }) => id);
  const choices = {
    columns: { name: 'Shop', key: 'Unit', category: 'Category' },
    ...{ fields: ['Hours', 'Website'], placement: 'pixels', project },
  };
  for (const [artboard, text] of [
    [groundId, ground],
    [upperId, upper],
  ]) {
    const rows = text.split('\n').length - 1;
    t.match((await call('import', { ...choices, text, artboard })).data, { dry_run: true, read: rows, created: rows, notes: [] });
    t.match((await call('import', { ...choices, text, artboard, dry_run: false })).data, { created: rows });
    await look(artboard === groundId ? 'ground' : 'upper', { project, artboard });
  }
  const outline = (await call('read', { project })).data;
  t.match(outline, { categories: Array, fields: ['Hours', 'Website'], artboards: [{ name: 'Ground floor' }, {}] });
  const [cinema] = (await call('find', { project, text: 'cinema' })).data;
  const food = (await call('find', { project, category: 'Food and drink' })).data;
  t.ok(food.length > 5);
  t.match((await call('read', { project, ids: [cinema.id, food[0].id] })).data, [
    { name: 'Lumen Cinema', properties: { Hours: 'Daily 10–24' } },
    { category: 'Food and drink' },
  ]);
  const escalator = { type: 'spot', name: 'Escalator', x: 600, y: 450, radius: 18, click_action: 'change-artboard' };
  const moved = await call('change', {
    project,
    operations: [
      { method: 'POST', path: `/artboards/${groundId}/objects`, body: { ...escalator, click_action_artboard_id: upperId } },
      { method: 'POST', path: `/artboards/${upperId}/objects`, body: { ...escalator, click_action_artboard_id: groundId } },
    ],
  });
  t.equal(moved.version_before?.name, 'before agent Planner');
  const settings = { labels: 'auto', public_map: { description: 'Thirty shops on two floors.' } };
  await call('change', { project, operations: [{ method: 'PATCH', path: '/', merge: true, body: { settings } }] });
  t.strictSame((await call('problems', { project })).data, []);
  await call('evaluate', { project });
  await look('ground-with-escalator', { project, artboard: groundId, width: 1024 });
  t.match((await call('publish', { project, name: 'lindenhof' })).data, { version: 1 });
  const versions = (await call('versions', { project, action: 'list' })).data;
  t.equal(versions.length, 1, 'one version for all of the work');
  t.equal(calls, 19);
  await call('read', { project });
  t.ok(tokens <= tokensMax.scenario, `${tokens} tokens of ${calls} calls, beside the pictures`);
  t.comment(`${tools} tokens of tools, ${tokens} of ${calls} calls`);
  const page = await mapwright.server.fetch('/p/lindenhof');
  t.match(await page.text(), /Lumen Cinema/);
});
