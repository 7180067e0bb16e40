// tier: all
/** Pictures in the popup editor: pasted, dropped, and in pasted HTML. They are uploaded, or a message says why not. */
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import type { ConsolePage } from './console-page.ts';
import { frameOf, openPopup } from './popup-support.ts';

t.setTimeout(600_000);

/** A PNG of a red pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const file = `new File([Uint8Array.from(atob('${pixel}'), (c) => c.charCodeAt(0))], 'red.png', { type: 'image/png' })`;

interface Data {
  readonly types?: Readonly<Record<string, string>>;
  /** Expressions of files, in the frame. */
  readonly files?: readonly string[];
}

/** Pastes or drops data onto the first element that matches. */
const give = (opened: ConsolePage, type: 'paste' | 'drop', onto: string, { types = {}, files = [] }: Data) =>
  frameOf(opened)
    .locator('html')
    .evaluate(`(() => {
      const data = new DataTransfer();
      for (const [type, text] of Object.entries(${JSON.stringify(types)})) data.setData(type, text);
      for (const file of [${files.join()}]) data.items.add(file);
      const target = document.querySelector(${JSON.stringify(onto)});
      const { left, top } = target.getBoundingClientRect();
      const init = { bubbles: true, cancelable: true, clientX: left + 20, clientY: top + 20 };
      const event = ${type === 'paste'}
        ? new ClipboardEvent('paste', { ...init, clipboardData: data })
        : new DragEvent('drop', { ...init, dataTransfer: data });
      target.dispatchEvent(event);
      return event.defaultPrevented;
    })()`);

const text = '.ProseMirror';

async function written(opened: ConsolePage, content: () => Promise<unknown>): Promise<string> {
  await opened.page.getByRole('button', { name: 'Done' }).click();
  await opened.waitUntilSaved();
  return String(await content());
}

const uploaded = (opened: ConsolePage, count: number) =>
  frameOf(opened)
    .locator(`${text} img[src^="/f/"]`)
    .nth(count - 1)
    .waitFor();

t.test('a spreadsheet with a picture of itself is pasted as text, without an upload', { skip }, async (t) => {
  const { opened, content } = await openPopup(t, '');
  const html = '<html><style>td { color: red }</style><table><tr><td>Bread</td><td>2.40</td></tr></table></html>';
  await give(opened, 'paste', text, { types: { 'text/html': html, 'text/plain': 'Bread\t2.40' }, files: [file] });
  await frameOf(opened).locator('.preview-map td').first().waitFor();
  t.match(await written(opened, content), /<td>Bread<\/td><td>2\.40<\/td>/);
  t.notOk(opened.recorded.asked.some((line) => line.includes('/files?')));
});

t.test('pictures are chosen from the device', { skip }, async (t) => {
  const { opened, content } = await openPopup(t, 'Text');
  const chosen = opened.page.waitForEvent('filechooser');
  await frameOf(opened).getByRole('button', { name: 'Choose a picture of this device' }).click();
  await (await chosen).setFiles({ name: 'red.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') });
  await uploaded(opened, 1);
  t.match(await written(opened, content), /<img [^>]*src="\/f\//);
  t.strictSame(opened.complaints, []);
});

t.test('pictures are uploaded: files, one in HTML without text, and those in addresses of HTML', { skip }, async (t) => {
  const { opened, content } = await openPopup(t, 'Text');
  await give(opened, 'paste', text, { files: [file, file] });
  await uploaded(opened, 2);
  await give(opened, 'paste', text, { types: { 'text/html': '<img src="https://example.org/a.png">' }, files: [file] });
  await uploaded(opened, 3);
  await give(opened, 'drop', text, { files: [file] });
  await uploaded(opened, 4);
  await give(opened, 'drop', '.preview', { files: [file] });
  await uploaded(opened, 5);
  await give(opened, 'paste', text, { types: { 'text/html': `<p>Here <img src="data:image/png;base64,${pixel}"> it is</p>` } });
  await uploaded(opened, 6);
  const frame = frameOf(opened);
  await frame.getByRole('button', { name: 'HTML source' }).click();
  await give(opened, 'drop', 'textarea', { files: [file] });
  await frame.locator('.preview-map img[src*="/f/"]').nth(6).waitFor();
  const html = await written(opened, content);
  t.equal(html.match(/src="\/f\//g)?.length, 7);
  t.notMatch(html, /data:|blob:/);
  t.match(html, /Here <img[^>]*> it is/);
});

t.test('pictures that are refused are named, and leave the text as it is', { skip }, async (t) => {
  const { opened, content } = await openPopup(t, 'Text', { server: { limits: { fileBytesMax: 1024 * 1024 } } });
  const frame = frameOf(opened);
  const refusal = (said: RegExp) => frame.locator('.note[role=alert] li', { hasText: said }).waitFor();
  const large = "new File([new Uint8Array(2e6)], 'large.svg', { type: 'image/svg+xml' })";
  await give(opened, 'paste', text, { files: [large] });
  await refusal(/large\.svg was not uploaded: it has .* pictures of up to/);
  t.notOk(
    opened.recorded.asked.some((line) => line.includes('/files?')),
    'nothing was sent',
  );
  await give(opened, 'paste', text, { files: ["new File(['x'], 'broken.png', { type: 'image/png' })"] });
  await refusal(/broken\.png is not a picture/);
  t.equal(await give(opened, 'drop', text, { files: ["new File(['x'], 'report.pdf', { type: 'application/pdf' })"] }), true);
  await refusal(/report\.pdf is no picture/);
  await give(opened, 'paste', text, { types: { 'text/html': '<p>More <img src="file:///C:/a.png"></p>' } });
  await refusal(/on your computer/);
  await frame.locator('.preview-map').getByText('More').waitFor();
  t.equal(await frame.locator(`${text} img:not(.ProseMirror-separator)`).count(), 0);
  t.notMatch(await written(opened, content), /<img/);
});

t.test('what undo brings back of an uploaded picture has its address', { skip }, async (t) => {
  const { opened, content } = await openPopup(t, 'Text');
  const { page } = opened;
  let answer = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/files?**', async (route) => {
    await isAnswered;
    await route.continue();
  });
  const frame = frameOf(opened);
  await give(opened, 'paste', text, { files: [file] });
  await frame.locator(`${text} img[src^="blob:"]`).waitFor();
  await frame.getByRole('button', { name: 'Undo' }).click();
  await frame.locator(`${text} img[src^="blob:"]`).waitFor({ state: 'detached' });
  answer();
  await frame.locator('.note', { hasText: 'Uploading' }).waitFor({ state: 'hidden' });
  t.equal(await frame.locator(`${text} img[src]`).count(), 0, 'it stays away');
  await frame.getByRole('button', { name: 'Redo' }).click();
  await uploaded(opened, 1);
  t.match(await written(opened, content), /<img src="\/f\//);
});
