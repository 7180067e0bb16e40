/** The popup editor of a sample project. */
import type { Test } from 'tap';
import type { Shown } from '../support/mapwright.ts';
import { type ConsoleOptions, ConsolePage, sampleProject } from './console-page.ts';

interface Opened {
  readonly opened: ConsolePage;
  /** The path of the popups of the project. */
  readonly popups: string;
  /** Its identifier. */
  readonly popup: string;
  readonly content: () => Promise<unknown>;
}

/** The console with a popup that has a content, in its editor. */
export async function openPopup(t: Test, content: string, options: ConsoleOptions = {}): Promise<Opened> {
  const opened = await ConsolePage.open(t, options);
  const { mapwright, page } = opened;
  const { project, spot } = await sampleProject(mapwright);
  const popups = `/projects/${project}/popups`;
  const made: Shown = (await mapwright.post(popups, { title: 'Fountain', attachedTo: spot, content })).shown;
  await opened.edit(project);
  await page.evaluate(`location.hash = '#/p/${project}/r/${made.id}'`);
  await page.reload();
  if ((options.width ?? 1280) < 600) await page.locator('.panes').getByRole('button', { name: 'Form' }).click();
  await page.getByRole('button', { name: 'Edit text with preview' }).click();
  await frameOf(opened).locator('.preview-map .popup').waitFor();
  return { opened, popups, popup: made.id, content: async () => (await mapwright.get(`${popups}/${made.id}`)).shown['content'] };
}

export const frameOf = ({ page }: ConsolePage) => page.frameLocator('.popup-frame');
