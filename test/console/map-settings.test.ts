// tier: normal
/** Categories, icons, fields and the first view, made in the console: in a browser, at two widths. */
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { until } from '../support/until.ts';
import { ConsolePage, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

const objects = [
  { type: 'spot', name: 'Cafe', x: 100, y: 100, radius: 20, color: '#ea580c', category: 'Food', properties: { opening: '9–18' } },
  {
    type: 'spot',
    name: 'Bakery',
    x: 200,
    y: 100,
    radius: 20,
    color: '#ea580c',
    category: 'Food',
    properties: { opening: '7–12' },
  },
  { type: 'spot', name: 'Shoes', x: 300, y: 100, radius: 20, color: '#2563eb', category: 'Fashion' },
  { type: 'spot', name: 'Toilet', x: 400, y: 100, radius: 20 },
];

for (const width of [1400, 390])
  t.test(`a map with categories, icons, fields and a first view, ${width} px wide`, { skip }, async (t) => {
    const mapwright = await startForRequests(t, { tiles: 'none' });
    const project = (await mapwright.post('/projects', { name: 'Centre', artboards: [{ name: 'Ground', objects }] })).shown.id;
    const opened = await ConsolePage.open(t, { mapwright, project, width, height: 900, isAdvanced: false });
    const { page } = opened;
    const pane = async (name: string) => {
      if (width === 390) await page.locator('.panes').getByRole('button', { name, exact: true }).click();
    };
    const stored = async (name: string) => {
      const { artboards } = (await mapwright.get(`/projects/${project}`)).shown as unknown as {
        artboards: { objects: Record<string, unknown>[] }[];
      };
      return artboards[0]?.objects.find((each) => each['name'] === name);
    };
    const settings = async () => (await mapwright.get(`/projects/${project}`)).shown['settings'] as Record<string, unknown>;

    // The form begins with what most people change.
    await pane('List');
    await opened.row('Toilet').click();
    await pane('Form');
    const first = page.locator('.resource-form > .fields .field');
    t.strictSame(await first.locator('> label, > .label').allTextContents(), ['Name', 'Category', 'Fill', 'Icon']);
    t.equal(await opened.field('Radius').isVisible(), false);

    await opened.type('Category', 'Fashion');
    await opened.waitUntilSaved();
    t.match(await stored('Toilet'), { category: 'Fashion', color: '#2563eb' });
    await page.getByRole('button', { name: 'Choose an icon' }).click();
    const icons = page.getByRole('dialog', { name: 'Choose an icon' });
    await icons.getByRole('searchbox').fill('toilette');
    await icons.getByRole('button', { name: 'toilet', exact: true }).first().click();
    await opened.waitUntilSaved();
    t.match(await stored('Toilet'), { icon: 'maki:toilet' });

    await page.getByRole('button', { name: 'Map settings' }).click();
    const panel = page.getByRole('dialog', { name: 'Map settings' });
    await panel.getByLabel('About the map').fill('Two floors');
    const colour = panel.getByRole('textbox', { name: 'Colour of Food', exact: true });
    await colour.fill('#16a34a');
    await colour.press('Tab');
    await panel.getByRole('button', { name: 'Make it public: opening' }).click();
    await panel.getByRole('button', { name: 'Start here' }).click();
    await panel.getByText('Visitors begin at a part of Ground.').waitFor();
    // At the top: the head of the panel covers no control.
    await panel.evaluate((dialog) => dialog.scrollTo(0, 0));
    t.strictSame(await opened.violations(), []);
    t.equal(await opened.fits(), true);
    await opened.waitUntilSaved();
    t.match(await settings(), {
      public_map: {
        description: 'Two floors',
        categories: [{ name: 'Food', color: '#16a34a' }],
        fields: [{ name: 'opening', kind: 'text' }],
      },
    });
    t.match([await stored('Cafe'), await stored('Bakery')], [{ color: '#16a34a' }, { color: '#16a34a' }]);

    // Visitors would see this.
    const preview = page.frameLocator('iframe[title="Preview"]');
    await preview.getByText('Two floors').waitFor({ state: 'attached' });
    await preview.getByRole('checkbox', { name: /Food/, includeHidden: true }).waitFor({ state: 'attached' });
    const sign = preview.locator('.sign').first();
    await until('the preview has the new colour', async () =>
      (await sign.evaluate((element) => element.style.background)).includes('22, 163, 74'),
    );
    await panel.getByRole('tab', { name: 'Phone' }).click();
    t.equal(await opened.fits(), true);
    // Nothing is undone in a panel, also not by the browser, which would take back what was typed last in any field.
    await page.keyboard.press('Control+z');
    t.equal(await colour.inputValue(), '#16a34a');

    await panel.getByRole('button', { name: 'More for Fashion' }).click();
    await page.getByRole('menuitem', { name: 'Merge into Food' }).click();
    await panel.getByText('4 objects').waitFor();
    await opened.waitUntilSaved();
    t.match(
      [await stored('Shoes'), await stored('Toilet')],
      [
        { category: 'Food', color: '#16a34a' },
        { category: 'Food', color: '#16a34a', icon: 'maki:toilet' },
      ],
    );
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+z');
    await opened.waitUntilSaved();
    t.match(await stored('Shoes'), { category: 'Fashion', color: '#2563eb' });

    // A hidden category is neither on the map of this tab nor selected there. Nothing of it is stored.
    await pane('Map');
    await page.getByRole('button', { name: 'Map settings' }).click();
    await panel.getByRole('button', { name: 'More for Food' }).click();
    await page.getByRole('menuitem', { name: 'Hide Food in this tab' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('Hidden in this tab: Food.').waitFor();
    const selected = page.locator('[role=status]').filter({ hasText: 'selected' });
    await opened.press('Control+a');
    await selected.filter({ hasText: '2 ' }).waitFor({ state: 'attached' });
    await pane('Map');
    t.strictSame(await opened.violations(), []);
    await page.getByRole('button', { name: 'Show all' }).click();
    await opened.press('Control+a');
    await selected.filter({ hasText: '4 ' }).waitFor({ state: 'attached' });

    // The menu of the list gives a category to all that are selected.
    await pane('List');
    await page.getByRole('button', { name: 'Select, copy, paste' }).click();
    await page.getByRole('menuitem', { name: 'Category: Fashion' }).click();
    await opened.waitUntilSaved();
    t.match(await stored('Cafe'), { category: 'Fashion' });
    t.strictSame(opened.complaints, []);
  });

t.test('a map with actions may lose its data when they are old', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const project = (await mapwright.post('/projects', { name: 'Office', artboards: [{ name: 'Ground', objects }] })).shown.id;
  const opened = await ConsolePage.open(t, { mapwright, project, width: 1400, height: 900, isAdvanced: false });
  const { page } = opened;
  const stored = async () => (await mapwright.get(`/projects/${project}`)).shown['settings'] as Record<string, unknown>;
  await page.getByRole('button', { name: 'Map settings' }).click();
  const panel = page.getByRole('dialog', { name: 'Map settings' });
  const minutes = panel.getByLabel('Minutes without fresh data until the map shows none');
  await panel.getByText('First view').waitFor();
  t.equal(await minutes.count(), 0, 'without actions there are no data');
  await mapwright.post(`/projects/${project}/actions`, { name: 'Colour', type: 'modify-object' });
  await minutes.fill('30');
  await minutes.press('Tab');
  await opened.waitUntilSaved();
  t.strictSame(await stored(), { public_map: { stale_minutes: 30 } });
  await minutes.fill('0');
  await minutes.press('Tab');
  await panel.getByText('Type 1 to 10080 minutes, or nothing.').waitFor();
  t.strictSame(await opened.violations(), []);
  await minutes.fill('');
  await minutes.press('Tab');
  await opened.waitUntilSaved();
  t.strictSame(await stored(), {});
  t.strictSame(opened.complaints, []);
});

t.test('the page of a map gets a language, a header with links, and search engines', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  const opened = await ConsolePage.open(t, { mapwright, project });
  const { page } = opened;
  await page.getByRole('button', { name: 'Map settings' }).click();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Language of its texts').fill('deutsch!');
  await page.keyboard.press('Tab');
  await panel.getByText('Type the code of a language').waitFor();
  await panel.getByLabel('Language of its texts').fill('de-AT');
  await page.keyboard.press('Tab');
  await panel.getByRole('checkbox', { name: 'Search engines may list it' }).check();
  await panel.getByRole('checkbox', { name: 'A header above the map' }).check();
  await panel.getByLabel('Heading').fill('Lindenhof');
  await page.keyboard.press('Tab');
  await panel.getByRole('button', { name: 'Add a link' }).click();
  await panel.getByLabel('Address of link 1').fill('https://lindenhof.example/imprint');
  await page.keyboard.press('Tab');
  t.strictSame(await opened.violations(), []);
  const stored = async () =>
    ((await mapwright.get(`/projects/${project}`)).shown['settings'] as { public_map?: object }).public_map;
  await opened.waitUntilSaved();
  const header = { title: 'Lindenhof', links: [{ label: 'Imprint', url: 'https://lindenhof.example/imprint' }] };
  t.strictSame(await stored(), { lang: 'de-AT', indexed: true, header });
  await panel.getByRole('checkbox', { name: 'A header above the map' }).uncheck();
  await panel.getByRole('checkbox', { name: 'Search engines may list it' }).uncheck();
  await panel.getByLabel('Language of its texts').fill('');
  await page.keyboard.press('Tab');
  await opened.waitUntilSaved();
  t.strictSame(await stored(), undefined, 'nothing empty is stored');
  t.strictSame(opened.complaints, []);
});
