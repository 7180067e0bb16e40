// tier: normal
/** Two consoles on one project: live changes, merges, conflicts, undo, deletions. */
import t, { type Test } from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { ConsolePage, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

async function openTwo(t: Test) {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const sample = await sampleProject(mapwright);
  const ann = await ConsolePage.open(t, { mapwright, project: sample.project });
  const bob = await ConsolePage.open(t, { mapwright, project: sample.project });
  const path = `/projects/${sample.project}/artboards/${sample.artboard}/objects/${sample.spot}`;
  return { ...sample, mapwright, ann, bob, path };
}

t.test('changes of one console appear in the other, and an undo reverts only own changes', { skip }, async (t) => {
  const { ann, bob, mapwright, path } = await openTwo(t);
  await ann.row('Spot').click();
  await bob.row('Spot').click();
  await ann.type('Name', 'Fountain');
  await bob.row('Fountain').waitFor();
  t.equal(await bob.field('Name').inputValue(), 'Fountain', 'in its form, too');
  await bob.type('Radius', '33');
  await bob.waitUntilSaved();
  await ann.recorded.until("document.querySelector('#field-radius').value === '33'");
  // A field of text has an undo of its own.
  await ann.page.locator('.map').focus();
  await ann.page.keyboard.press('Control+z');
  await bob.row('Spot').waitFor();
  await ann.waitUntilSaved();
  t.match((await mapwright.get(path)).shown, { name: 'Spot', radius: 33 }, 'the other change stays');
  for (const each of [ann, bob]) t.strictSame(each.complaints, []);
});

test.all(
  'an earlier edit merges with changes of other members and conflicts with those of the same member',
  { skip },
  async (t) => {
    const { ann, bob, mapwright, path } = await openTwo(t);
    await ann.row('Spot').click();
    await bob.row('Spot').click();
    await ann.field('Name').fill('Mine');
    await bob.type('Name', 'Theirs');
    await bob.type('Radius', '44');
    await bob.waitUntilSaved();
    await ann.row('Theirs').waitFor();
    t.equal(await ann.field('Name').inputValue(), 'Mine', 'a field that is being edited is not touched');
    await ann.page.getByText('Changed by another user meanwhile').waitFor();
    await ann.field('Name').press('Tab');
    await ann.page.getByText('Needs your decision').waitFor();
    t.match((await mapwright.get(path)).shown, { name: 'Theirs', radius: 44 }, 'nothing is overwritten');
    t.equal(
      await ann.recorded.value(
        "(() => { const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented; })()",
      ),
      true,
    );
    await ann.page.getByRole('button', { name: 'Decide' }).click();
    const panel = ann.page.getByRole('dialog');
    await panel.locator('pre').first().waitFor();
    t.strictSame(await panel.locator('pre').allTextContents(), ['Spot', 'Mine', 'Theirs'], 'before, mine, theirs');
    t.strictSame(await ann.violations(), []);
    await panel.getByRole('button', { name: 'Use yours' }).click();
    // Nothing is left to decide.
    await panel.waitFor({ state: 'detached' });
    await ann.waitUntilSaved();
    await bob.row('Mine').waitFor();
    t.match((await mapwright.get(path)).shown, { name: 'Mine', radius: 44 });

    await ann.page.keyboard.press('Control+z');
    await bob.row('Theirs').waitFor();
    await bob.type('Name', 'Third');
    await ann.row('Third').waitFor();
    await ann.page.keyboard.press('Control+Shift+z');
    await ann.page.getByRole('button', { name: 'Decide' }).click();
    await panel.locator('pre').first().waitFor();
    t.strictSame(
      await panel.locator('pre').allTextContents(),
      ['Theirs', 'Mine', 'Third'],
      'a step that another user has overtaken',
    );
    await panel.getByRole('button', { name: 'Use theirs' }).click();
    await ann.waitUntilSaved();
    t.match((await mapwright.get(path)).shown, { name: 'Third' });
  },
);

test.all('input in an open form is kept if another user deletes the object, and the notice names it', { skip }, async (t) => {
  const { ann, bob, mapwright, project, artboard, path } = await openTwo(t);
  await ann.row('Spot').click();
  await bob.row('Spot').click();
  await ann.field('Name').fill('Typed');
  await ann.page.getByText('Not saved yet').waitFor();
  await mapwright.delete(path);
  await bob.page.getByText('Another user deleted the object Spot.').waitFor();
  await ann.page.getByRole('button', { name: 'Decide' }).click();
  await ann.page.getByText('Typed was deleted by another user').waitFor();
  await ann.page.getByRole('button', { name: 'Create it again' }).click();
  await ann.waitUntilSaved();
  await bob.row('Typed').waitFor();
  t.match((await mapwright.get(`/projects/${project}/artboards/${artboard}/objects`)).list, [
    { name: 'Room' },
    { name: 'Typed' },
  ]);
});

test.all('a project that is deleted shows a message in every open console', { skip }, async (t) => {
  const { ann, bob, mapwright, project } = await openTwo(t);
  await mapwright.delete(`/projects/${project}`);
  for (const each of [ann, bob]) await each.page.getByText('This project was deleted').waitFor();
  t.strictSame(await ann.violations(), []);
  await ann.page.getByRole('link', { name: 'Back to the projects' }).click();
  await ann.page.locator('.welcome').waitFor();
});
