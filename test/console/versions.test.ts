// tier: normal
/** Versions of a project in a browser: the history, looking at a version, comparing, restoring, copying. */
import t, { type Test } from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { ConsolePage, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

async function open(t: Test, looks: { readonly width?: number; readonly readOnly?: boolean } = {}) {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const sample = await sampleProject(mapwright);
  const at = `/projects/${sample.project}`;
  const objects = `${at}/artboards/${sample.artboard}/objects`;
  const opened = await ConsolePage.open(t, { mapwright, project: sample.project, ...looks });
  return { ...sample, mapwright, opened, page: opened.page, at, objects };
}

test.all('the editor still follows a project of which a version was kept', { skip }, async (t) => {
  const { opened, mapwright, at, objects, spot } = await open(t);
  await mapwright.post(`${at}/versions`, { name: 'Before' });
  await mapwright.patch(`${objects}/${spot}`, { name: 'Fountain' });
  await opened.row('Fountain').waitFor();
  t.strictSame(opened.complaints, []);
});
