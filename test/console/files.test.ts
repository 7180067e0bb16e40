// tier: normal
/** Pictures in a browser: uploads, the library, and servers that store no files. */
import net from 'node:net';
import path from 'node:path';
import type { Page, Route } from 'playwright-core';
import t, { type Test } from 'tap';
import { projects, resourceOf } from '../../src/model/resources.ts';
import { fileMembers } from '../../src/web/console/files/library/file-members.ts';
import { type Looks, Page as RecordedPage, skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Mapwright, type Shown, startForRequests, startMapwright } from '../support/mapwright.ts';
import { projectRoot } from '../support/project.ts';
import { test } from '../support/test.ts';
import { ConsolePage, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

/** Folder for pictures to look at; '' for none. */
const screens = process.env['SCREENS'] ?? '';

async function open(t: Test, looks: Looks = {}) {
  const mapwright = await startMapwright(t, { tiles: 'none' });
  const sample = await sampleProject(mapwright);
  const opened = await ConsolePage.open(t, { mapwright, project: sample.project, ...looks });
  const at = `/projects/${sample.project}`;
  const files = async (): Promise<Shown[]> => (await mapwright.get(`${at}/files`)).list;
  const popup = (await mapwright.post(`${at}/popups`, { name: 'Welcome', attachedTo: sample.spot })).shown;
  return { ...sample, mapwright, opened, page: opened.page, at, files, popup };
}

/** A picture that the browser draws, as bytes. */
async function drawn(page: Page, width: number, height: number, type = 'image/png'): Promise<Buffer> {
  const base64 = (await page.evaluate(`(() => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: ${width}, height: ${height} });
    const context = canvas.getContext('2d');
    context.fillStyle = '#0f766e';
    context.fillRect(0, 0, ${width}, ${height / 2});
    return canvas.toDataURL('${type}').split(',')[1];
  })()`)) as string;
  return Buffer.from(base64, 'base64');
}

async function give(page: Page, event: 'drop' | 'paste', selector: string, bytes: Buffer, name: string, type: string) {
  const data = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File([Uint8Array.from(atob('${bytes.toString('base64')}'), (c) => c.charCodeAt(0))], ${JSON.stringify(name)}, { type: '${type}' })); return data; })()`,
  );
  if (event === 'drop') await page.dispatchEvent(selector, 'drop', { dataTransfer: data });
  else
    await page.locator(selector).evaluate((element, clipboardData) => {
      const { ClipboardEvent } = globalThis as unknown as { ClipboardEvent: new (type: string, init: object) => unknown };
      const target = element as unknown as { dispatchEvent(event: unknown): void };
      target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, data);
}

const bytesOf = async (mapwright: Mapwright, file: Shown): Promise<Buffer> =>
  Buffer.from(await (await fetch(`http://127.0.0.1:${mapwright.port}${String(file['url'])}`)).arrayBuffer());

t.test('the console looks for files in the members of the model that have them', async (t) => {
  const model = [projects, ...Object.values(resourceOf)].flatMap(({ kind, fileMembers: members }) =>
    members.length === 0 ? [] : [[kind, Object.fromEntries(members.map(({ member, texts }) => [member, texts]))] as const],
  );
  t.strictSame(Object.fromEntries(model), fileMembers);
});

test.all('a dropped picture is uploaded as it is and becomes a background in one step', { skip }, async (t) => {
  const { opened, page, mapwright, at, files } = await open(t);
  const bytes = await drawn(page, 300, 200);
  await give(page, 'drop', '.map-pane', bytes, 'Ground floor.png', 'image/png');
  await page.locator('.artboard-row').filter({ hasText: 'Ground floor' }).waitFor();
  await opened.waitUntilSaved();
  const [file] = (await files()) as [Shown];
  t.match(file, { name: 'Ground floor.png', type: 'image/png', width: 300, height: 200 });
  t.ok((await bytesOf(mapwright, file)).equals(bytes), 'the bytes are those of the file');
  const artboards = (await mapwright.get(`${at}/artboards`)).list;
  t.match(artboards.at(-1), { type: 'image', image_url: file['url'], width: 300, height: 200 });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('.artboard-row').filter({ hasText: 'Ground floor' }).waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  t.equal((await files()).length, 1, 'the file stays');
  t.strictSame(opened.complaints, []);
});

test.all('pictures are loaded below the path of the server', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none', publicUrl: 'http://127.0.0.1/maps' });
  const { project } = await sampleProject(mapwright);
  const { path } = await mapwright.server.consoleAddress('ann');
  const { page, complaints } = await RecordedPage.open(
    t,
    `http://127.0.0.1:${mapwright.port}/maps${path.replace(/^\/maps/, '')}`,
  );
  await page.locator('.cards-screen').waitFor();
  await page.evaluate(`location.hash = '#/p/${project}'`);
  await page.locator('.map canvas').waitFor();
  const loaded = page.waitForResponse((response) => response.url().includes('/f/'));
  await give(page, 'drop', '.map-pane', await drawn(page, 300, 200), 'plan.png', 'image/png');
  const response = await loaded;
  t.match([new URL(response.url()).pathname, response.status()], [/^\/maps\/f\/[\w-]+\/plan\.png$/, 200]);
  await page.getByRole('button', { name: 'Pictures' }).click();
  await page.locator('.library-row img').evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
  t.strictSame(complaints, []);
});

test.all('a picture is pasted into a field and onto the map', { skip }, async (t) => {
  const { opened, page, mapwright, at, files, popup } = await open(t);
  await opened.showList('popup');
  await opened.row('Welcome').click();
  await give(page, 'paste', '#field-image', await drawn(page, 30, 20), 'image.png', 'image/png');
  await opened.recorded.until("document.querySelector('#field-image')?.value.startsWith('/f/')");
  await opened.waitUntilSaved();
  const [file] = (await files()) as [Shown];
  t.equal((await mapwright.get(`${at}/popups/${popup.id}`)).shown['image'], file['url']);
  await give(page, 'paste', '.map', await drawn(page, 40, 20), 'second.png', 'image/png');
  await page.locator('.artboard-row').filter({ hasText: 'second' }).waitFor();
  t.equal((await files()).length, 2);
});

test.all('the location is removed from photographs before the upload', { skip }, async (t) => {
  const { page, mapwright, files } = await open(t);
  const located = (type: string) => path.join(projectRoot(import.meta.dirname), 'test', 'console', 'located', `located.${type}`);
  const types = ['jpeg', 'png', 'webp', 'avif'];
  await page.getByRole('button', { name: 'Pictures' }).click();
  await page.locator('.library-head input[type=file]').setInputFiles(types.map(located));
  await page
    .locator('.library-row')
    .nth(types.length - 1)
    .waitFor();
  for (const file of await files()) {
    t.match(file, { width: 48, height: 32 });
    const bytes = await bytesOf(mapwright, file);
    t.strictSame([bytes.includes('GPSLatitude'), bytes.includes('Camera')], [false, true], String(file['name']));
  }
});

test.all('a side above 8,000 pixels is scaled down, and the user reads the sizes', { skip }, async (t) => {
  const { page, files } = await open(t);
  await page.getByRole('button', { name: 'Pictures' }).click();
  const buffer = await drawn(page, 9000, 90);
  await page.locator('.library-head input[type=file]').setInputFiles({ name: 'wide.png', mimeType: 'image/png', buffer });
  await page.locator('.library-row').waitFor();
  t.match(await files(), [{ type: 'image/png', width: 8000, height: 80 }]);
  await page.getByText('wide.png was scaled down from 9,000 × 90 to 8,000 × 80 pixels.').waitFor();
  await page.locator('dialog').getByRole('button', { name: 'Close' }).last().click();
  t.equal(await page.getByText('was scaled down').count(), 0, 'it stays until it is closed');
});

/** A proxy in front of a server. It cuts the first upload in the middle, and the second before its answer arrives. */
async function cuttingProxy(t: Test, port: number) {
  const seen = { cuts: 0, keys: [] as string[] };
  const sockets = new Set<net.Socket>();
  const proxy = net.createServer((client) => {
    const server = net.connect(port, '127.0.0.1');
    const both = [client, server];
    const cut = () => {
      for (const socket of both) socket.destroy();
    };
    let uploaded = -1;
    client.on('data', (bytes) => {
      const key = /^POST [^ ]*\/files\?name=[\s\S]*?\r\nidempotency-key: (\w+)/im.exec(bytes.toString('latin1'))?.[1];
      if (key !== undefined) {
        seen.keys.push(key);
        uploaded = 0;
      }
      if (uploaded >= 0) uploaded += bytes.length;
      if (seen.cuts === 0 && uploaded > 100_000) {
        seen.cuts++;
        cut();
      } else server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (seen.cuts === 1 && uploaded >= 0) {
        seen.cuts++;
        cut();
      } else client.write(bytes);
    });
    for (const socket of both) {
      sockets.add(socket);
      socket.on('error', cut).on('close', cut);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });
  return { ...(proxy.address() as net.AddressInfo), seen };
}

test.all('an upload whose connection is cut is sent again with the same key, and stored once', { skip }, async (t) => {
  const mapwright = await startMapwright(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  const { port, seen } = await cuttingProxy(t, mapwright.port);
  const { path: address } = await mapwright.server.consoleAddress('ann', { open: project });
  const { page } = await RecordedPage.open(t, `http://127.0.0.1:${port}${address}`);
  await page.locator('.map canvas').waitFor();
  const bytes = Buffer.concat([await drawn(page, 300, 200), Buffer.alloc(1_000_000, 7)]);
  await give(page, 'drop', '.map-pane', bytes, 'plan.png', 'image/png');
  await page.locator('.upload-line progress').waitFor();
  await page.locator('.artboard-row').filter({ hasText: 'plan' }).waitFor();
  t.equal(seen.cuts, 2, 'in the middle, and before the answer');
  t.ok(seen.keys.length > 2 && new Set(seen.keys).size === 1, 'one key');
  const files = (await mapwright.get(`/projects/${project}/files`)).list;
  t.match(files, [{ name: 'plan.png', bytes: bytes.length }]);
  t.equal(files.length, 1);
});

test.all('an upload is sent again with the same key after a lost connection, and can be cancelled', { skip }, async (t) => {
  const { page, files } = await open(t);
  const keys: (string | undefined)[] = [];
  let isLost = true;
  await page.route('**/files?name=*', async (route: Route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (!isLost) return route.continue();
    // The server has the bytes, and its answer is lost.
    await route.fetch();
    return route.abort('connectionreset');
  });
  await give(page, 'drop', '.map-pane', await drawn(page, 30, 20), 'plan.png', 'image/png');
  await page.locator('.upload-line').getByText('plan.png waits').waitFor();
  isLost = false;
  await page.locator('.artboard-row').filter({ hasText: 'plan' }).waitFor();
  t.equal((await files()).length, 1, 'stored once');
  t.ok(keys.length > 1 && new Set(keys).size === 1, 'one key');
  isLost = true;
  await give(page, 'drop', '.map-pane', await drawn(page, 31, 20), 'other.png', 'image/png');
  await page.locator('.upload-line').getByText('other.png waits').waitFor();
  await page.locator('.upload-line').getByRole('button', { name: 'Cancel' }).click();
  await page.locator('.upload-line').waitFor({ state: 'detached' });
  t.equal(await page.locator('.artboard-row').filter({ hasText: 'other' }).count(), 0);
});

test.all('a refused upload is shown as what it is, and nothing changes', { skip }, async (t) => {
  const { opened, page, mapwright, at, files } = await open(t);
  await mapwright.server.setLimits('ann', { bytes: 3000 });
  await give(page, 'drop', '.map-pane', await drawn(page, 900, 600), 'Ground floor.png', 'image/png');
  await page
    .locator('.toast.problem')
    .getByText(/Ground floor\.png was not uploaded: .*bytes/)
    .waitFor();
  await opened.waitUntilSaved();
  t.equal((await mapwright.get(`${at}/artboards`)).list.length, 1, 'no artboard with a picture in the project');
  t.strictSame(await files(), []);
});

test.all('a picture becomes part of the project on a server that stores no files', { skip }, async (t) => {
  const uploads: string[] = [];
  const { opened, page, mapwright, at } = await open(t, {
    prepare: async (prepared) => {
      await prepared.route('**/console/session*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...((await response.json()) as object), files: false } });
      });
      prepared.on('request', (request) => void (request.url().includes('/files') && uploads.push(request.url())));
    },
  });
  const noise = Buffer.concat([await drawn(page, 2500, 1000), Buffer.alloc(4_000_000, 7)]);
  await give(page, 'drop', '.map-pane', noise, 'Ground floor.png', 'image/png');
  await page.locator('.artboard-row').filter({ hasText: 'Ground floor' }).waitFor();
  await opened.waitUntilSaved();
  const artboard = (await mapwright.get(`${at}/artboards`)).list.at(-1);
  t.match(artboard, { width: 2000, height: 800, image_url: /^data:image\/png;base64,/ });
  await page.getByText('Ground floor.png was scaled down from 2,500 × 1,000 to 2,000 × 800 pixels.').waitFor();
  t.strictSame(uploads, [], 'no upload is tried');
});

test.all('the library finds, uses, renames, replaces and deletes pictures', { skip }, async (t) => {
  const { opened, page, mapwright, at, files, popup } = await open(t);
  const upload = async (name: string, width: number): Promise<Shown> => {
    const address = `http://127.0.0.1:${mapwright.port}/v1${at}/files?name=${encodeURIComponent(name)}`;
    const headers = { authorization: `Bearer ${mapwright.key}`, 'content-type': 'image/png' };
    const body = new Uint8Array(await drawn(page, width, 20));
    return (await (await fetch(address, { method: 'POST', headers, body })).json()) as Shown;
  };
  const [red, blue] = [await upload("red (1) 'a'.png", 30), await upload('blue.png', 40)];
  const content = `<p>/f/ ${String(red['url'])}</p><!-- <img src="${String(red['url'])}"> --><img src="${String(red['url'])}"><a href='${String(blue['url'])}'>b</a><img src=${String(blue['url'])}>`;
  await mapwright.patch(`${at}/popups/${popup.id}`, { image: red['url'], content });
  await page.getByRole('button', { name: 'Pictures' }).click();
  const row = (name: string) => page.locator('.library-row').filter({ hasText: name });
  await row('red').getByText('used 2 times').waitFor();
  await row('blue').getByText('used 1 time').waitFor();
  await page.getByLabel('Search pictures').fill('BLU');
  await row('red').waitFor({ state: 'detached' });
  const fromMenu = async (name: string, item: string) => {
    await row(name).getByRole('button', { name: 'More for' }).click();
    await row(name).getByRole('menuitem', { name: item }).click();
  };
  await page.getByLabel('Search pictures').fill('');
  await fromMenu('blue', 'Rename');
  await page.keyboard.type('sky');
  await page.keyboard.press('Enter');
  await opened.recorded.until("document.activeElement.ariaLabel === 'More for sky.png'");
  await row('sky.png').waitFor();
  const chosen = page.waitForEvent('filechooser');
  await fromMenu('red', 'Replace');
  await (await chosen).setFiles({ name: "it's.png", mimeType: 'image/png', buffer: await drawn(page, 50, 20) });
  await page.locator('.panel').getByText('Replaced in 2 places').waitFor();
  const fresh = (await files()).find(({ name }) => name === "it's.png") as Shown;
  const changed = (await mapwright.get(`${at}/popups/${popup.id}`)).shown;
  t.equal(changed['image'], fresh['url']);
  // In an attribute only: a text, or a comment, that mentions the address does not use the file.
  const attribute = (address: unknown) => `"><img src="${String(address)}"`.slice(2);
  t.equal(
    changed['content'],
    content.replace(`-->${attribute(red['url'])}`, `-->${attribute(String(fresh['url']).replace("'", '&#39;'))}`),
  );
  await row("it's.png").getByText('used 2 times').waitFor();
  await fromMenu('sky.png', 'Delete');
  await page.getByText('It is used by: popup Welcome.').waitFor();
  await page.locator('dialog').last().getByRole('button', { name: 'Delete' }).click();
  await row('sky.png').waitFor({ state: 'detached' });
  t.equal((await files()).length, 2);
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await opened.waitUntilSaved();
  t.match((await mapwright.get(`${at}/popups/${popup.id}`)).shown, { image: red['url'], content }, 'one step');
  await opened.showList('popup');
  await opened.row('Welcome').click();
  await page.getByRole('button', { name: 'From the library…' }).click();
  await page.getByRole('button', { name: "Use it's.png" }).click();
  await opened.waitUntilSaved();
  t.equal((await mapwright.get(`${at}/popups/${popup.id}`)).shown['image'], fresh['url']);
  t.strictSame(opened.complaints, []);
});

test.all('pictures in the project itself are moved to the library, equal ones once', { skip }, async (t) => {
  const { opened, page, mapwright, at, files, popup, artboard } = await open(t);
  const png = `data:image/png;base64,${(await drawn(page, 30, 20)).toString('base64')}`;
  const svg = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"/>')}`;
  await mapwright.patch(`${at}/popups/${popup.id}`, { image: png });
  await mapwright.patch(at, { thumb: png });
  await mapwright.patch(`${at}/artboards/${artboard}`, { type: 'image', image_url: svg });
  await page.getByRole('button', { name: 'Pictures' }).click();
  const inHtml = (address: string) =>
    `<P CLASS=a>data:image/png,x<br><img alt='>' src = '${address}'><a href="https://example.com/?a=1&b=2">b</a>`;
  await mapwright.patch(`${at}/popups/${popup.id}`, { content: inHtml(svg) });
  await page.getByText('4 pictures are part of the project').waitFor();
  await page.getByRole('button', { name: 'Move to the library' }).click();
  await page.locator('.panel').getByText('Moved 4 pictures').waitFor();
  t.equal((await files()).length, 2);
  const [image, thumb, image_url] = [
    (await mapwright.get(`${at}/popups/${popup.id}`)).shown['image'],
    (await mapwright.get(at)).shown['thumb'],
    (await mapwright.get(`${at}/artboards/${artboard}`)).shown['image_url'],
  ];
  t.equal(image, thumb);
  t.equal((await mapwright.get(`${at}/popups/${popup.id}`)).shown['content'], inHtml(String(image_url)), 'nothing else changes');
  t.match([image, image_url], [/^\/f\//, /^\/f\//]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Undo' }).click();
  await opened.waitUntilSaved();
  t.match((await mapwright.get(at)).shown, { thumb: png }, 'one step');
});

test.all('pictures that cannot be moved to the library stay, and say why; the others are moved', { skip }, async (t) => {
  const { opened, page, mapwright, at, files, popup, artboard } = await open(t);
  const markup = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"><rect width="100%" height="50%"/></svg>';
  const [broken, svg] = ['data:image/png;base64,AAAA', `data:image/svg+xml;utf8,${markup}`];
  await mapwright.patch(at, { thumb: broken });
  await mapwright.patch(`${at}/artboards/${artboard}`, { type: 'image', image_url: svg });
  await mapwright.patch(`${at}/popups/${popup.id}`, {
    image: `data:image/png;base64,${(await drawn(page, 30, 20)).toString('base64')}`,
  });
  await page.getByRole('button', { name: 'Pictures' }).click();
  await page.getByText('3 pictures are part of the project').waitFor();
  await page.getByRole('button', { name: 'Move to the library' }).click();
  await page.locator('.panel').getByText('Moved 2 pictures').waitFor();
  await page.getByRole('alert').getByText('Not uploaded: Sample.png').waitFor();
  await page.getByText('1 picture is part of the project').waitFor();
  await opened.waitUntilSaved();
  t.equal((await mapwright.get(at)).shown['thumb'], broken);
  const moved = (await files()).find(({ type }) => type === 'image/svg+xml') as Shown;
  t.equal((await bytesOf(mapwright, moved)).toString(), markup);
  t.equal((await mapwright.get(`${at}/artboards/${artboard}`)).shown['image_url'], moved['url']);
});

test.all('the library takes dropped pictures, and says of each refused one why', { skip }, async (t) => {
  const { page, files } = await open(t);
  await page.getByRole('button', { name: 'Pictures' }).click();
  await give(page, 'drop', '.panel', await drawn(page, 30, 20), 'dropped.png', 'image/png');
  const row = (name: string) => page.locator('.library-row').filter({ hasText: name });
  await row('dropped.png').waitFor();
  const buffer = Buffer.from('no picture');
  const broken = ['first.png', 'second.png'].map((name) => ({ name, mimeType: 'image/png', buffer }));
  const good = { name: 'good.png', mimeType: 'image/png', buffer: await drawn(page, 40, 20) };
  await page.locator('.library-head input[type=file]').setInputFiles([broken[0] as typeof good, good, broken[1] as typeof good]);
  await row('good.png').waitFor();
  const alert = page.getByRole('alert');
  for (const { name } of broken) await alert.getByText(`Not uploaded: ${name}`).waitFor();
  t.equal((await files()).length, 2);

  await row('good.png').getByRole('button', { name: 'More for' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.keyboard.type('a/b');
  await page.keyboard.press('Enter');
  await row('').getByRole('alert').getByText('Not renamed: The name must').waitFor();
  const field = page.getByLabel('New name of good.png');
  t.equal(await field.inputValue(), 'a/b.png', 'the text stays');
  await field.fill('b.png');
  await page.keyboard.press('Enter');
  await row('b.png').waitFor();
});

/** Drops files of these names; without a picture, files that are none. */
async function dropAll(page: Page, selector: string, names: readonly string[], bytes: Buffer = Buffer.from('no picture')) {
  const data = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); for (const name of ${JSON.stringify(names)}) data.items.add(new File([Uint8Array.from(atob('${bytes.toString('base64')}'), (c) => c.charCodeAt(0))], name, { type: 'image/png' })); return data; })()`,
  );
  await page.dispatchEvent(selector, 'drop', { dataTransfer: data });
}

test.all('several pictures on the map, or chosen for an artboard, become an artboard each in one step', { skip }, async (t) => {
  const { opened, page, mapwright, at, files } = await open(t);
  const row = (name: string) => page.locator('.artboard-row').filter({ hasText: name });
  const names = async () => (await mapwright.get(`${at}/artboards`)).list.map(({ name }) => name);
  const bytes = await drawn(page, 30, 20);
  await dropAll(page, '.map-pane', ['two.png', 'one.png'], bytes);
  await row('one').waitFor();
  await opened.waitUntilSaved();
  t.strictSame(await names(), ['Floor', 'two', 'one']);
  t.equal(await row('two').getAttribute('aria-current'), 'true', 'the first one is on the map');
  t.strictSame((await files()).map(({ name }) => name).sort(), ['one.png', 'two.png']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await row('one').waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  t.strictSame(await names(), ['Floor'], 'one step');

  await page.getByRole('button', { name: 'Add an artboard', exact: true }).click();
  await row('Untitled').waitFor();
  const chosen = ['third.png', 'fourth.png'].map((name) => ({ name, mimeType: 'image/png', buffer: bytes }));
  await page.locator('.artboards .file-button input').setInputFiles(chosen);
  await row('fourth').waitFor();
  await opened.waitUntilSaved();
  t.strictSame(await names(), ['Floor', 'third', 'fourth'], 'the empty artboard takes the first');
  await page.getByRole('button', { name: 'Undo' }).click();
  await row('fourth').waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  t.match((await mapwright.get(`${at}/artboards`)).list, [{ name: 'Floor' }, { name: /Untitled/, image_url: '' }], 'one step');

  await dropAll(page, '.map-pane', ['broken.png', 'other.png']);
  await page
    .locator('.toast')
    .getByText(/Not uploaded: broken\.png.*Not uploaded: other\.png/)
    .waitFor();
  t.equal((await names()).length, 2);
});

test.all('several pictures on the list of projects become one project of as many floors', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { page, recorded, complaints } = await ConsolePage.open(t, { mapwright });
  await page.locator('.welcome').waitFor();
  await dropAll(page, '.cards-screen', ['broken.png', 'other.png']);
  await page
    .getByRole('alert')
    .filter({ hasText: /Not uploaded: broken\.png.*Not uploaded: other\.png/ })
    .waitFor();
  t.strictSame((await mapwright.get('/projects')).list, [], 'no project without its pictures');
  await dropAll(page, '.cards-screen', ['Upper floor.png', 'Attic.png'], await drawn(page, 30, 20));
  await page.locator('.artboard-row[aria-current="true"]').filter({ hasText: 'Upper floor' }).waitFor();
  await recorded.until("document.activeElement?.id === 'field-name'");
  const [project, ...others] = (await mapwright.get('/projects')).list as [Shown];
  t.strictSame(others, []);
  const picture = { type: 'image', width: 30, height: 20, image_url: /\.png$/ };
  const artboards = (await mapwright.get(`/projects/${project.id}/artboards`)).list;
  t.equal(artboards.length, 2);
  t.match(artboards, [
    { name: 'Upper floor', ...picture },
    { name: 'Attic', ...picture },
  ]);
  t.strictSame(complaints, []);
});

test.all('the list of the library comes by itself when the server answers again', { skip }, async (t) => {
  const { page, mapwright, at } = await open(t);
  const list = '**/v1/projects/*/files?*';
  await page.route(list, (route) => route.abort());
  await page.getByRole('button', { name: 'Pictures' }).click();
  await page.getByRole('alert').waitFor();
  const headers = { authorization: `Bearer ${mapwright.key}`, 'content-type': 'image/png' };
  const body = new Uint8Array(await drawn(page, 30, 20));
  await fetch(`http://127.0.0.1:${mapwright.port}/v1${at}/files?name=late.png`, { method: 'POST', headers, body });
  await page.unroute(list);
  await page.locator('.library-row').filter({ hasText: 'late.png' }).waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

for (const width of [390, 1400])
  test.all(`the library has no violations of axe at ${width} pixels, and fits`, { skip }, async (t) => {
    const { opened, page } = await open(t, { width });
    await page.getByRole('button', { name: 'Pictures' }).click();
    const buffer = await drawn(page, 300, 200);
    const name = `${'A plan with a very long name '.repeat(4)}.png`;
    await page.locator('.library-head input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer });
    await page.locator('.library-row').waitFor();
    t.strictSame(await opened.violations(), []);
    t.equal(await opened.fits(), true);
    const buttons = await page.locator('.library-row .row > :not([hidden])').all();
    const boxes = await Promise.all(buttons.map((button) => button.boundingBox()));
    t.equal(new Set(boxes.map((box) => box?.y)).size, 1, 'the buttons are on one line');
    t.ok(
      boxes.every((box) => (box?.width ?? 0) >= 24 && (box?.height ?? 0) >= 24),
      'a finger hits them',
    );
    await page.locator('.library-row').getByRole('button', { name: 'More for' }).click();
    const item = page.getByRole('menuitem', { name: 'Delete' });
    await item.waitFor();
    t.equal(
      await opened.recorded.value(`(() => {
        const [list, dialog] = ['.library-row .menu-list', '.panel'].map((name) => document.querySelector(name).getBoundingClientRect());
        return list.left >= dialog.left && list.right <= dialog.right && list.top >= dialog.top && list.bottom <= dialog.bottom;
      })()`),
      true,
      'the menu is within the dialog',
    );
    t.strictSame(await opened.violations(), []);
    if (screens !== '') await page.screenshot({ path: path.join(screens, `library-${width}.png`) });
  });
