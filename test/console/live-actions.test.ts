// tier: normal
/** The form of an action in a browser: conditions, styles, templates of texts, and what the form does not know. */
import t, { type Test } from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Shown, startForRequests } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { type ConsoleOptions, ConsolePage } from './console-page.ts';
import { type LiveSample, liveSample, push } from './live-support.ts';

t.setTimeout(600_000);

/** Opens the form of one action. */
async function open(t: Test, action: (sample: LiveSample) => object, options: ConsoleOptions = {}) {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const sample = await liveSample(mapwright);
  await push(mapwright, sample, { taken: 20, guests: [{ name: 'Ann' }, { name: 'Bo' }, { name: '<b>Cy</b>' }] });
  const made = await mapwright.post(`/projects/${sample.project}/actions`, { name: 'Rule', ...action(sample) });
  const { id } = made.shown;
  const opened = await ConsolePage.open(t, { mapwright, project: sample.project, ...options });
  const { page } = opened;
  await opened.showList('action');
  await opened.row('Rule').click();
  await page.locator('.inspector h2').filter({ hasText: 'Rule' }).waitFor();
  const stored = async (): Promise<Shown> => (await mapwright.get(`/projects/${sample.project}/actions/${id}`)).shown;
  const saved = async (): Promise<Shown> => {
    await opened.waitUntilSaved();
    return stored();
  };
  return { ...sample, mapwright, opened, page, id, saved };
}

/** Labels of the fields that the form shows. */
const labels = (opened: ConsolePage): Promise<unknown> =>
  opened.recorded.value(
    "[...document.querySelectorAll('.resource-form .field')].map((field) => field.querySelector('label:not(.sr-only), .label').textContent)",
  );

t.test('a condition is a row that says whether it holds, and keeps members that the form does not know', { skip }, async (t) => {
  const { opened, page, variables, saved } = await open(t, ({ poly, variables: { Taken, Share } }) => ({
    object_id: poly,
    conditions: [
      { variable_id: Taken, operator: '>', value: 10, note: 'kept' },
      { variable_id: Share, operator: 'equals', value: '40', note: { also: 'kept' } },
    ],
  }));
  const first = page.getByRole('group', { name: 'Condition 1' });
  const second = page.getByRole('group', { name: 'Condition 2' });
  await first.getByText('Holds now: it is 20.').waitFor();
  await second.getByText('Holds now: it is 40.').waitFor();
  await page.getByText('The action runs now.').waitFor();
  await page.getByLabel('Value of condition 1').fill('25');
  await page.getByLabel('Value of condition 1').press('Tab');
  await first.getByText('Does not hold now: it is 20.').waitFor();
  await page.getByText('The action does not run now.').waitFor();
  t.match((await saved())['conditions'], [{ operator: '>', value: 25, note: 'kept' }, {}]);
  await opened.field('Conditions that must hold').selectOption('or');
  await page.getByText('The action runs now.').waitFor();
  await page.getByLabel('Operator of condition 2').selectOption('less-than');
  await second.getByText('Does not hold now').waitFor();
  await page.getByLabel('Condition 2 compares with').selectOption('variable');
  await page.getByLabel('Other variable of condition 2').selectOption({ label: 'Taken' });
  t.strictSame((await saved())['conditions'], [
    { variable_id: variables.Taken, operator: '>', value: 25, note: 'kept' },
    { variable_id: variables.Share, operator: 'less-than', value_variable_id: variables.Taken, note: { also: 'kept' } },
  ]);
  await page.getByRole('button', { name: 'Remove row 1' }).click();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByLabel('Variable of condition 2').selectOption({ label: 'Taken' });
  await page.getByLabel('Operator of condition 2').selectOption('is-not-empty');
  await second.getByText('Holds now').waitFor();
  t.equal(await page.getByLabel('Value of condition 2').count(), 0, 'it compares with nothing');
  t.match((await saved())['conditions'], [{ value_variable_id: variables.Taken }, { operator: 'is-not-empty' }]);
  t.strictSame(await opened.violations(), []);
  t.strictSame(opened.complaints, []);
});

test.all('a condition on a value of each item says for how many items it holds', { skip }, async (t) => {
  const { opened, page } = await open(t, ({ artboard, variables: { Guest } }) => ({
    type: 'create-spots',
    create_object_target_artboard_id: artboard,
    conditions: [{ variable_id: Guest, operator: 'not-equals', value: 'Bo' }],
  }));
  await page.getByText('Holds now for 2 of 3 items.').waitFor();
  await opened.field('Effect').selectOption('create-spot');
  await page.getByText('this action has no items').waitFor();
});

test.all('conditions of another form are edited as JSON', { skip }, async (t) => {
  const { page, saved } = await open(t, () => ({ conditions: [{ variable_id: 'x', operator: 'equals', value: [1] }] }));
  const json = page.locator('.resource-form').getByLabel('Conditions as JSON').and(page.locator('textarea'));
  await page.getByText('The form does not know all of this value').waitFor();
  await json.fill('[{"variable_id":"x","operator":"like","value":"a","more":[1]}]');
  await json.press('Tab');
  await page.getByLabel('Value of condition 1').waitFor();
  t.strictSame((await saved())['conditions'], [{ variable_id: 'x', operator: 'like', value: 'a', more: [1] }]);
  t.equal(await page.getByLabel('Operator of condition 1').getAttribute('aria-invalid'), 'true', 'an operator without effect');
  await page.getByRole('button', { name: 'Conditions as JSON' }).press('Enter');
  await json.waitFor();
});

test.all('a style keeps the look, sets a value with the control of its property, or takes a variable', { skip }, async (t) => {
  const { opened, page, poly, variables, saved } = await open(t, ({ poly }) => ({
    object_id: poly,
    style_stroke_color: { type: 'custom', value: '#112233', note: 'kept' },
    style_radius: { type: 'later', size: 3 },
  }));
  t.equal(await opened.field('Outline').inputValue(), 'custom', 'styles are visible, because one is set');
  await page.getByLabel('Outline: value', { exact: true }).fill('#445566');
  await page.getByLabel('Outline: value', { exact: true }).press('Tab');
  await opened.field('Fill').selectOption('custom');
  t.equal(await page.getByLabel('Fill: value', { exact: true }).inputValue(), '#3b82f6', 'what the room has now');
  await opened.field('Fill').selectOption('variable');
  await page.getByLabel('Fill: value', { exact: true }).selectOption({ label: 'Heat' });
  await opened.field('Fill opacity').selectOption('custom');
  await page.getByLabel('Fill opacity: value').fill('0.5');
  await page.getByLabel('Fill opacity: value').press('Tab');
  await opened.field('Blend mode').selectOption('custom');
  await page.getByLabel('Blend mode: value').selectOption('multiply');
  await opened.field('Pin').selectOption('custom');
  await page.getByLabel('Pin: value').uncheck();
  t.match(await saved(), {
    object_id: poly,
    style_color: { name: 'color', type: 'variable', variable_id: variables.Heat },
    style_opacity: { name: 'opacity', type: 'custom', value: 0.5 },
    style_stroke_color: { type: 'custom', value: '#445566', note: 'kept' },
    style_blend_mode: { type: 'custom', value: 'multiply' },
    style_pin: { type: 'custom', value: false },
    style_radius: { type: 'later', size: 3 },
  });
  await opened.field('Outline').selectOption('current-value');
  t.strictSame((await saved())['style_stroke_color'], { name: 'stroke_color', note: 'kept', type: 'current-value' });
  await page.getByRole('button', { name: 'Undo' }).click();
  t.match((await saved())['style_stroke_color'], { type: 'custom', value: '#445566' });
  const json = page.locator('#field-style_radius-json');
  t.match(await json.inputValue(), /"later"/, 'a style that the form does not know');
  await json.fill('{"name":"radius","type":"custom","value":7,"size":3}');
  await json.press('Tab');
  await page.getByLabel('Radius: value').fill('9');
  await page.getByLabel('Radius: value').press('Tab');
  t.strictSame((await saved())['style_radius'], { name: 'radius', type: 'custom', value: 9, size: 3 });
  t.strictSame(await opened.violations(), []);
});

test.all('a text with names of variables shows the present values while it is typed', { skip }, async (t) => {
  const { opened, page, saved } = await open(t, ({ artboard }) => ({
    type: 'create-spots',
    create_object_target_artboard_id: artboard,
    create_popup: true,
    popup_title: 'Now {Taken} {{not}',
  }));
  const preview = page.locator('.preview-text');
  await preview.filter({ hasText: 'Now 20 {not}' }).waitFor();
  await opened.field('Name of the objects').fill('{Guest} of {Nobody}');
  await preview.filter({ hasText: 'Now, for the first item: Ann of {Nobody}' }).waitFor();
  await preview.filter({ hasText: 'Without a value: {Nobody}' }).waitFor();
  await opened.field('Content').fill('<p>{Taken}</p>');
  await preview.filter({ hasText: '<p>20</p>' }).waitFor();
  await opened.field('Content').press('Tab');
  t.match(await saved(), { create_object_name: '{Guest} of {Nobody}', popup_content: '<p>{Taken}</p>' });
});

test.all('the form of an action has only what its type uses', { skip }, async (t) => {
  const { opened, page, saved } = await open(t, () => ({ popup_title: 'Kept', style_radius: { type: 'custom', value: 5 } }));
  const shows = async (type: string): Promise<string[]> => {
    await opened.field('Effect').selectOption(type);
    await opened.waitUntilSaved();
    return (await labels(opened)) as string[];
  };
  const common = ['Effect', 'Name', 'Conditions', 'Conditions that must hold'];
  const styles = ['Fill', 'Fill opacity', 'Outline', 'Outline width', 'Outline opacity', 'Hover fill', 'Hover fill opacity'];
  const moreStyles = ['Hover outline', 'Hover outline width', 'Hover outline opacity', 'Blend mode'];
  const creates = ['Artboard', 'Name of the objects'];
  const all = [...styles, ...moreStyles];
  t.same(new Set(await shows('modify-object')), new Set([...common, 'Object', ...all, 'Radius', 'Pin']));
  t.same(new Set(await shows('modify-objects')), new Set([...common, 'Objects', ...all, 'Radius', 'Pin']));
  const popup = ['Popup', 'Title', 'Image', 'Content', 'Button label', 'Button link'];
  t.same(new Set(await shows('modify-popup')), new Set([...common, ...popup]));
  const flag = 'Create a popup for each object';
  t.same(new Set(await shows('create-polys')), new Set([...common, ...creates, 'Variable of the corners', ...all, flag]));
  const spot = ['X is', 'X', 'Y is', 'Y', 'Radius', 'Pin'];
  t.same(new Set(await shows('create-spot')), new Set([...common, ...creates, ...all, ...spot, flag]));
  await opened.field('X is').selectOption('variable');
  await page.locator('.resource-form').getByLabel('Variable of x').waitFor();
  t.equal(await opened.field('X').count(), 0);
  t.match(await saved(), { popup_title: 'Kept', style_radius: { value: 5 } }, 'what is not shown stays');
});

test.all('a read-only key sees the conditions and styles of an action and cannot change them', { skip }, async (t) => {
  const rule = ({ poly, variables: { Taken } }: LiveSample) => ({
    object_id: poly,
    conditions: [{ variable_id: Taken, operator: 'greater-than', value: 10 }],
    style_opacity: { type: 'custom', value: 0.5 },
  });
  const { opened, page } = await open(t, rule, { readOnly: true });
  await page.getByText('Holds now: it is 20.').waitFor();
  t.equal(await page.getByLabel('Operator of condition 1').isDisabled(), true);
  t.equal(await page.getByLabel('Value of condition 1').getAttribute('readonly'), '');
  t.equal(await opened.field('Fill opacity').isDisabled(), true);
  t.equal(await page.getByRole('button', { name: 'Add a condition' }).count(), 0);
  t.equal(await page.getByRole('button', { name: 'Remove row 1' }).count(), 0);
  t.strictSame(await opened.violations(), []);
});
