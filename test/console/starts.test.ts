// tier: all
/** The ways to start a first map: each leads at once to what it says, with a pointer and with keys, on a desktop and on a phone. */
import t, { type Test } from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { exampleText } from '../support/examples.ts';
import type { Shown } from '../support/mapwright.ts';
import { ConsolePage } from './console-page.ts';

t.setTimeout(600_000);

const sizes = [
  { width: 1400, height: 900 },
  { width: 390, height: 800 },
] as const;

const plan = {
  name: 'Ground floor.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><path d="M20 20h600v440H20z"/></svg>'),
};
const table = {
  name: 'trees.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('name,lat,lon\nOak,48.2,16.37\nLime,48.21,16.38\n'),
};

/** A console without projects, checked before anything is chosen. */
async function openEmpty(t: Test, looks: object): Promise<ConsolePage> {
  const opened = await ConsolePage.open(t, looks);
  // From now on no dialog of the browser opens: a later start of listening may come after the key.
  opened.page.on('filechooser', () => undefined);
  await opened.page.getByRole('heading', { name: 'Make your first map' }).waitFor();
  t.strictSame(await opened.violations(), []);
  t.equal(await opened.fits(), true);
  // A click anywhere on the picture opens the file chooser, and the control of the browser itself is not seen.
  const covers = `[...document.querySelectorAll('.start input')].map((input) => {
    const { left, top, width, height } = input.parentElement.getBoundingClientRect();
    return getComputedStyle(input).opacity === '0' && document.elementFromPoint(left + width / 2, top + height / 4) === input;
  })`;
  await opened.recorded.value("document.querySelector('.starts').scrollIntoView()");
  t.strictSame(await opened.recorded.value(covers), [true, true]);
  return opened;
}

/** Moves the focus with Tab to a way to start. */
async function tabTo({ page }: ConsolePage, text: string): Promise<void> {
  const isThere = `(document.activeElement?.closest('.start')?.textContent ?? '').startsWith(${JSON.stringify(text)})`;
  for (let presses = 0; presses < 20; presses++) {
    if (await page.evaluate(isThere)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach "${text}".`);
}

const projectsOf = async ({ mapwright }: ConsolePage) => (await mapwright.get('/projects')).list as Shown[];

for (const looks of sizes) {
  t.test(`a plan becomes the background of a new project, at ${looks.width} pixels`, { skip }, async (t) => {
    const opened = await openEmpty(t, looks);
    await tabTo(opened, 'A plan');
    const choosing = opened.page.waitForEvent('filechooser');
    await opened.page.keyboard.press('Enter');
    await (await choosing).setFiles([plan]);
    await opened.page.locator('.map canvas').waitFor();
    const [project] = await projectsOf(opened);
    t.match(project, { name: 'Ground floor', artboards: [{ type: 'image', image_url: /^\/f\//, width: 640, height: 480 }] });
    t.strictSame(opened.complaints, []);
  });

  t.test(`places from a file lead to the import, at ${looks.width} pixels`, { skip }, async (t) => {
    const opened = await openEmpty(t, looks);
    await tabTo(opened, 'Places from a file');
    const choosing = opened.page.waitForEvent('filechooser');
    await opened.page.keyboard.press('Enter');
    await (await choosing).setFiles([table]);
    await opened.page.getByRole('heading', { name: 'Import trees.csv' }).waitFor();
    t.strictSame(opened.complaints, []);
  });

  t.test(`live data lead to an office that changes, at ${looks.width} pixels`, { skip }, async (t) => {
    const opened = await openEmpty(t, looks);
    const { page } = opened;
    await tabTo(opened, 'Live data');
    await page.keyboard.press('Enter');
    await page.getByRole('switch', { name: 'Live', checked: true }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Simulate data', pressed: true }).waitFor({ state: 'attached' });
    await page.locator('.list-row', { hasText: 'Occupancy' }).waitFor({ state: 'attached' });
    await page.locator('.live-effects', { hasText: /[1-9]\d* created/ }).waitFor({ state: 'attached' });
    t.strictSame(
      (await projectsOf(opened)).map(({ name }) => name),
      ['Live office'],
    );
    t.equal(await opened.fits(), true);
    t.strictSame(opened.complaints, []);
  });

  t.test(`an example is chosen from a list, at ${looks.width} pixels`, { skip }, async (t) => {
    const opened = await openEmpty(t, looks);
    const { page } = opened;
    await tabTo(opened, 'An example');
    await page.keyboard.press('Enter');
    // The list has the focus, and the first one is the shopping centre.
    await page.locator('.example-choice button:focus', { hasText: 'Shopping centre' }).waitFor();
    t.strictSame(await opened.violations(), []);
    t.equal(await opened.fits(), true);
    await page.keyboard.press('Enter');
    await page.locator('.map canvas').waitFor();
    const [project] = (await projectsOf(opened)) as [Shown];
    t.equal(project['name'], 'Examples/Shopping centre');
    t.equal((project['popups'] as unknown[]).length, JSON.parse(exampleText('shopping-centre.json')).project.popups.length);
    t.strictSame((await opened.mapwright.get(`/projects/${project.id}/problems`)).list, []);
    t.strictSame(opened.complaints, []);
  });
}

t.test('the ways to start are legible in the dark, and who may not create projects has none', { skip }, async (t) => {
  await openEmpty(t, { ...sizes[0], dark: true });
  const reader = await ConsolePage.open(t, { readOnly: true });
  await reader.page.getByRole('heading', { name: 'Make your first map' }).waitFor();
  t.equal(await reader.page.locator('.start').count(), 0);
});
