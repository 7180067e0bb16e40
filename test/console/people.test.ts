// tier: normal
/** The account menu of the console: sign-in links for others, and sessions. By keyboard, by touch at 390 px, and attacked. */
import fs from 'node:fs';
import t from 'tap';
import { choicesOfExpiry } from '../../src/web/console/people/link-expiry.ts';
import { reachOf } from '../../src/web/console/server/is-local.ts';
import { refusalText } from '../../src/web/console/server/refusal-text.ts';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { ConsolePage, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

t.test('a link can be chosen to end before the session that makes it, or with it', async (t) => {
  const now = Date.UTC(2030, 0, 1);
  t.strictSame(choicesOfExpiry(null, now), ['1h', '24h', '7d', '30d'], 'a pasted key without an end');
  t.strictSame(choicesOfExpiry('2030-01-01T12:00:00.000Z', now), ['1h', '2030-01-01T12:00:00.000Z']);
  t.strictSame(choicesOfExpiry('2030-01-01T01:00:30.000Z', now), ['2030-01-01T01:00:30.000Z'], 'clocks may differ');
});

t.test('a refusal says what is wrong in words, not where it is in the request', async (t) => {
  const said = (pointer: string, detail: string) =>
    refusalText({ detail: `${pointer} ${detail}.`, errors: [{ pointer, detail }] });
  t.equal(said('/operations/0/body/blend_mode', 'must be one of "a", "b"'), '“Blend mode” must be one of "a", "b".');
  t.equal(said('/operations/12/body/coords/3', 'must be an object'), '“Coords” must be an object.');
  t.equal(said('/projects/0', 'there is no such project'), '“Projects”: there is no such project.');
  t.equal(said('/0', 'is missing'), 'The value is missing.');
  t.equal(refusalText({ detail: 'The quota is used up.', errors: [] }), 'The quota is used up.');
});

t.test('addresses of this machine are told from those that others can open', async (t) => {
  for (const at of ['http://127.0.0.1:8070/', 'http://localhost/x', 'http://a.localhost/', 'http://[::1]:1/', 'http://0.0.0.0/'])
    t.equal(reachOf(at), 'own', at);
  for (const at of [
    'http://192.168.1.7:8070/',
    'http://10.0.0.1/',
    'http://172.31.0.1/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://nas/',
    'http://nas.local/',
  ])
    t.equal(reachOf(at), 'near', at);
  for (const at of ['https://maps.example/', 'http://172.32.0.1/', 'http://127.0.0.1.example/', 'http://[2001:db8::1]/'])
    t.equal(reachOf(at), 'public', at);
});

t.test(
  'by keyboard: a link for reading one project is made, opens it elsewhere once, and its session is ended',
  { skip },
  async (t) => {
    const mapwright = await startForRequests(t, { tiles: 'none' });
    const { project } = await sampleProject(mapwright);
    for (let i = 0; i < 2; i++) await sampleProject(mapwright, 'Other');
    const opened = await ConsolePage.open(t, { mapwright });
    const { page } = opened;
    await page.getByRole('button', { name: 'Signed in to ann' }).focus();
    await page.keyboard.press('Enter');
    await opened.recorded.until("document.activeElement.role === 'menuitem'");
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Sign-in links and sessions' });
    await panel.getByText('this session', { exact: true }).waitFor();
    await panel.getByLabel('For whom').focus();
    await page.keyboard.type('<b>Client</b>');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Look');
    await panel.getByLabel('Only these').focus();
    await page.keyboard.press('Space');
    t.equal(await panel.getByRole('button', { name: 'Make a link' }).isDisabled(), true, 'nothing is chosen');
    t.equal(await panel.getByLabel('Rights').inputValue(), 'read', 'the less, unless more is chosen');
    const equal = panel.getByLabel(/Other, created /);
    await equal.nth(1).waitFor();
    t.equal(await equal.count(), 2, 'equal names differ by their dates');
    await panel.getByLabel('Sample').focus();
    await page.keyboard.press('Space');
    await panel.getByLabel('For whom').press('Enter');
    const address = await panel.getByLabel('Address of the sign-in link').inputValue();
    t.match(address, new RegExp(`^http://127\\.0\\.0\\.1:${mapwright.port}/console#code=0mw_[\\w-]+/p/${project}$`));
    await panel.getByText('Others cannot open this address').waitFor();
    await panel.getByRole('button', { name: 'End the link: <b>Client</b>' }).waitFor();
    t.strictSame(await opened.violations(), []);
    const guest = await Page.open(t, address);
    await guest.until("document.title.startsWith('Sample')");
    t.equal(await guest.page.getByText('Read only').count(), 1);
    await guest.page.getByRole('button', { name: 'Signed in to ann' }).click();
    await guest.page.getByRole('menuitem', { name: 'Sign-in links' }).click();
    await guest.page.getByText('<b>Client</b>').waitFor();
    t.equal(await guest.page.getByRole('button', { name: 'Make a link' }).count(), 0, 'a reader makes none');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Signed in to ann' }).click();
    await page.getByRole('menuitem', { name: 'Sign-in links' }).click();
    await panel.getByText('There are none.').waitFor();
    await panel.getByRole('button', { name: 'End the session: <b>Client</b>' }).click();
    await page.getByRole('button', { name: 'End', exact: true }).last().click();
    await panel.getByRole('button', { name: 'End the session: <b>Client</b>' }).waitFor({ state: 'detached' });
    t.equal(await page.evaluate('document.activeElement.textContent'), 'Signed in', 'the focus is not lost');
    await guest.page.reload();
    await guest.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    t.strictSame(opened.complaints, []);
  },
);

test.all('at 390 px the panel fits, and refusals of the server are shown', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none', publicUrl: 'https://maps.example/base' });
  const { project } = await sampleProject(mapwright, 'A project with a rather long name, and umlauts: Gebäudeübersicht');
  const opened = await ConsolePage.open(t, { mapwright, width: 390, projects: [project], dark: true });
  const { page } = opened;
  await page.getByRole('button', { name: 'Signed in to ann' }).click();
  await page.getByRole('menuitem', { name: 'Sign-in links' }).click();
  await page.getByLabel('For whom').fill('Somebody with a very long label for a link that wraps onto several lines');
  await page.getByRole('button', { name: 'Make a link' }).click();
  const address = page.getByLabel('Address of the sign-in link');
  t.match(await address.inputValue(), /^https:\/\/maps\.example\/base\/console#code=/, 'the address for others');
  t.equal(await page.getByText('Others cannot open').count(), 0);
  t.equal(await opened.fits(), true);
  t.equal(
    await page.evaluate(
      "(() => { const body = document.querySelector('.panel'); return body.scrollWidth <= body.clientWidth })()",
    ),
    true,
  );
  t.strictSame(await opened.violations(), []);
  await page.getByLabel('For whom').fill('left\u200eright');
  await page.getByRole('button', { name: 'Make a link' }).click();
  const refusal = page.getByRole('alert').getByText(/^“Label” must be 1 to 100 printable characters [^.]*\.$/);
  await refusal.waitFor();
  await page.getByLabel('For whom').fill('');
  await mapwright.delete(`/projects/${project}`);
  await page.getByRole('button', { name: 'Make a link' }).click();
  await page.getByRole('alert').getByText('were deleted').waitFor();
});

test.all('the publish panel says that others cannot open an address of this machine', { skip }, async (t) => {
  const opened = await ConsolePage.open(t);
  const { page, mapwright } = opened;
  const { project } = await sampleProject(mapwright);
  await opened.edit(project);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText(/Others cannot open this address: 127\.0\.0\.1:\d+ is the machine/).waitFor();
  t.strictSame(await opened.violations(), []);
});

const folder = process.env['PEOPLE_PICTURES'] ?? '';

test.all('pictures of the panel, to look at', { skip: skip || folder === '' }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  await sampleProject(mapwright);
  fs.mkdirSync(folder, { recursive: true });
  for (const width of [390, 1400]) {
    const { page } = await ConsolePage.open(t, { mapwright, width, height: 900 });
    await page.getByRole('button', { name: 'Signed in to ann' }).click();
    await page.getByRole('menuitem', { name: 'Sign-in links' }).click();
    await page.getByLabel('For whom').fill('Review by the client');
    await page.getByLabel('Only these').check();
    await page.getByLabel('Sample').first().check();
    await page.getByRole('button', { name: 'Make a link' }).click();
    await page.getByLabel('Address of the sign-in link').waitFor();
    await page.screenshot({ path: `${folder}/people-${width}.png` });
  }
});
