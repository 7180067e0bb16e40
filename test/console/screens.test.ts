// tier: normal
/** Every screen of the console: accessibility (axe) in light, dark and on a phone, its width, and the size of its files. */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { projectRoot } from '../support/project.ts';
import { test } from '../support/test.ts';
import { ConsolePage, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

/** Largest files, compressed, in bytes; the first two are 120 and 416 kB of 1,024. */
const budgets = { beforeMap: 122_880, all: 425_984, converter: 100_000 };

t.test('the files of the console stay within their size budgets', async (t) => {
  const folder = path.join(projectRoot(import.meta.dirname), 'dist', 'pages', 'console');
  const zipped = (name: string) => zlib.gzipSync(fs.readFileSync(path.join(folder, name)), { level: 9 }).length;
  const files = fs.readdirSync(folder).filter((name) => /\.(?:js|css|html)$/.test(name));
  const sizes = new Map(files.map((name) => [name, zipped(name)]));
  const names = files.filter((name) => !name.startsWith('convert'));
  const text = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8');
  /** Files, with what their scripts load with them, not later. */
  const withLoaded = (first: readonly string[]): ReadonlySet<string> => {
    const loaded = new Set(first);
    for (const name of loaded)
      if (name.endsWith('.js'))
        for (const [, part = ''] of text(name).matchAll(/\b(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) loaded.add(part);
    return loaded;
  };
  const loaded = withLoaded(['index.html', 'console.css', 'console.js']);
  const converter = withLoaded(['convert.js']);
  const sum = (list: Iterable<string>) => [...list].reduce((all, name) => all + (sizes.get(name) ?? 0), 0);
  t.comment(`${sum(loaded)} bytes before the map, ${sum(names)} in all`);
  t.ok(loaded.size >= 4, 'the parts were found');
  t.ok(sum(loaded) <= budgets.beforeMap, `${sum(loaded)} bytes before the map`);
  t.ok(sum(names) <= budgets.all, `${sum(names)} bytes in all`);
  t.ok(sum(names) > sum(loaded) + 50_000, 'the map is loaded later');
  t.ok(sum(converter) <= budgets.converter, `${sum(converter)} bytes of the converter`);
  t.ok(files.filter((name) => name.startsWith('convert-')).length > converter.size, 'its formats are loaded later');
});

for (const looks of [{}, { dark: true }, { width: 390 }]) {
  test.all(`every screen is accessible and fits the window: ${JSON.stringify(looks)}`, { skip }, async (t) => {
    const isNarrow = 'width' in looks;
    const mapwright = await startForRequests(t, { tiles: 'none' });
    const opened = await ConsolePage.open(t, { mapwright, ...looks });
    const { page } = opened;
    const check = async (screen: string) => {
      t.strictSame(await opened.violations(), [], screen);
      t.equal(await opened.fits(), true, `${screen} fits`);
    };
    const pane = async (name: string) => {
      if (isNarrow) await page.locator('.panes').getByRole('button', { name }).click();
    };
    await page.locator('.welcome').waitFor();
    await check('no project');
    const { project } = await sampleProject(mapwright);
    await mapwright.patch(`/projects/${project}`, { name: 'Sample with a long name' });
    await mapwright.post(`/projects/${project}/variables`, {
      name: 'Heat',
      type: 'interpolate-color',
      color_interpolation_colors: ['#fff', 'red'],
    });
    await mapwright.post(`/projects/${project}/data-sources`, { name: 'Sensors', headers: [{ name: 'Accept', value: 'x' }] });
    await mapwright.post(`/projects/${project}/actions`, { name: 'Colour' });
    await page.reload();
    await page.locator('.card').waitFor();
    await check('cards');
    await page.getByRole('button', { name: 'More for Sample' }).click();
    await check('menu');
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await check('question');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await opened.edit(project);
    await check('editor');
    await pane('List');
    for (const [list, name] of [
      ['object', 'Room'],
      ['data_source', 'Sensors'],
      ['variable', 'Heat'],
      ['action', 'Colour'],
    ] as const) {
      await pane('List');
      await opened.showList(list);
      await opened.row(name).click();
      if (!isNarrow) await page.evaluate("for (const section of document.querySelectorAll('details')) section.open = true");
      await check(`list of ${list}`);
      await pane('Form');
      await page.locator('.inspector h2').filter({ hasText: name }).waitFor();
      await check(`form of ${list}`);
    }
    await opened.field('Name').fill('Typed');
    await page.getByText('Not saved yet').waitFor();
    t.equal(
      await page.evaluate(`(() => {
        const [a, b] = ['.save-state', 'button.title'].map((name) => document.querySelector(name).getBoundingClientRect());
        return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      })()`),
      false,
      'the state does not cover the title',
    );
    await check('typing');
    await page.keyboard.press('Escape');
    await pane('List');
    await opened.showList('popup');
    await page.getByText('Visitors see it when they click').waitFor();
    await check('an empty list says what to do');
    await opened.showList('problems');
    // The colour has no variable as its factor, the action no object.
    await page.locator('.problems button').filter({ hasText: 'Heat' }).waitFor();
    await check('problems');
    await pane('Map');
    await opened.press('?');
    await page.getByRole('dialog').waitFor();
    await check('keys');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('dialog').getByRole('heading', { level: 2 }).waitFor();
    await check('publishing');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await opened.press('p');
    await page.locator('.map-hint').waitFor();
    await check('drawing');
    t.strictSame(opened.complaints, []);
    await page.evaluate("location.hash = '#/p/none'");
    await page.getByText('does not exist').waitFor();
    await check('no such project');
    await page.evaluate("location.hash = '#/'");
    await opened.chooseInAccountMenu('Sign out');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await check('sign-in');
    t.match(opened.complaints, [/status of 404/]);
    t.equal(opened.complaints.length, 1, 'only that of the project that does not exist');
  });
}
