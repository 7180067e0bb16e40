// tier: all
/**
 * Hostile projects in the console: no text of a project runs as a script, with or without the policy of the page. The console has no
 * sanitizer that could be left out, because it shows no markup of projects: everything is text.
 */
import t, { type Test } from 'tap';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Shown, startForRequests } from '../support/mapwright.ts';
import { sampled } from '../support/tier.ts';
import { hostileObject, payloads, picturesFailed } from '../viewer/payloads.ts';
import { ConsolePage } from './console-page.ts';

t.setTimeout(600_000);

/** A project with a payload in every text of every resource. */
function hostile(texts: readonly string[]): Record<string, unknown> {
  const objects = texts.map((text, at) => ({ ...hostileObject(text, at), click_action: 'follow-link' }));
  return {
    name: texts[0],
    thumb: texts[1],
    settings: { [`x${texts[2]}`]: texts[3] },
    artboards: [
      { name: texts[4], objects },
      ...texts.slice(0, 20).map((text) => ({ name: text, type: 'image', image_url: text, bg_color: text, embedding_url: text })),
    ],
    popups: texts.map((text) => ({ name: text, title: text, content: text, image: text, buttonText: text, buttonLink: text })),
    data_sources: texts
      .slice(0, 20)
      .map((text) => ({ name: text, url: text, body: text, headers: [{ name: text, value: text }] })),
    variables: texts.slice(0, 20).map((text) => ({
      name: text,
      type: 'interpolate-color',
      expression: text,
      color_interpolation_colors: [text],
    })),
    actions: texts.slice(0, 20).map((text) => ({ name: text, conditions: [{ text }], create_popup: true, popup_content: text })),
  };
}

/** Opens the cards and everything in the editor. */
async function attack(t: Test, policy: 'as it is' | 'none'): Promise<ConsolePage> {
  const texts = sampled(payloads, 24).map((text) => text.replaceAll('__proto__', 'proto').slice(0, 20_000));
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const made = (await mapwright.post('/projects', hostile(texts))).shown;
  const other: string[] = [];
  const opened = await ConsolePage.open(t, {
    mapwright,
    prepare: async (page) => {
      page.on('dialog', (dialog) => void dialog.dismiss());
      await page.route(
        (url) => url.port !== String(mapwright.port) && /^https?:$/.test(url.protocol),
        (route) => {
          other.push(`${route.request().resourceType()} ${route.request().url()}`);
          return route.abort();
        },
      );
      if (policy === 'as it is') return;
      await page.route(
        (url) => url.pathname.startsWith('/console'),
        async (route) => {
          const response = await route.fetch();
          const headers = { ...response.headers() };
          delete headers['content-security-policy'];
          await route.fulfill({ response, headers });
        },
      );
    },
  });
  const { page } = opened;
  await page.locator('.card').waitFor();
  await opened.edit(made.id);
  const pwned = () => opened.recorded.value('globalThis.pwned ?? 0');
  for (const list of ['object', 'popup', 'data_source', 'variable', 'action', 'problems']) {
    await opened.showList(list);
    if (list === 'problems') continue;
    const count = Math.min(20, await page.locator('.list-row').count());
    for (let at = 0; at < count; at++) {
      await page.locator('.list-row').nth(at).click();
      await page.evaluate("for (const section of document.querySelectorAll('details')) section.open = true");
    }
    t.ok(count > 0, `${count} forms of ${list}`);
  }
  const artboards = made['artboards'] as Shown[];
  for (let at = 0; at < artboards.length; at++) await page.locator('.artboards .artboard-row').nth(at).click();
  await opened.recorded.value(picturesFailed('document'));
  t.equal(await pwned(), 0, `nothing of ${texts.length} payloads runs`);
  t.strictSame(
    other.filter((request) => !request.startsWith('image ')),
    [],
    'nothing but pictures is requested from elsewhere',
  );
  t.match(
    page.url(),
    new RegExp(`^http://127.0.0.1:${mapwright.port}/console#/p/${made.id}(?:/a/[\\w-]+)?$`),
    'the page is where it was',
  );
  t.equal(await page.locator('.editor :is(script, iframe, object, embed, form[action])').count(), 0);
  return opened;
}

t.test('no payload runs in the console with its content security policy', { skip }, async (t) => {
  const opened = await attack(t, 'as it is');
  t.notOk(
    opened.complaints.some((text) => /TrustedHTML|inline/.test(text)),
    'the policy was not needed',
  );
});

t.test('no payload runs in the console without its content security policy', { skip }, async (t) => {
  await attack(t, 'none');
});

t.test('the policy of the console refuses markup, inline scripts and new policies', { skip }, async (t) => {
  const mapwright = await startForRequests(t);
  const { page } = await Page.open(t, `http://127.0.0.1:${mapwright.port}/console`);
  const tried = await page.evaluate(`(() => {
    const said = [];
    try { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="globalThis.pwned=1">'); said.push('markup'); } catch { said.push('refused'); }
    const script = document.createElement('script');
    try { script.textContent = 'globalThis.pwned=1'; document.body.append(script); said.push('script'); } catch { said.push('refused'); }
    try { globalThis.trustedTypes.createPolicy('dompurify', {}); said.push('policy'); } catch { said.push('refused'); }
    return said.join();
  })()`);
  t.equal(tried, 'refused,refused,refused');
  t.equal(await page.evaluate('globalThis.pwned'), undefined);
});

t.test('errors and sessions of a hostile server are shown as text', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const texts = sampled(payloads, 24).filter((text) => text.length < 2000);
  const made = (await mapwright.post('/projects', { name: 'Sample', artboards: [{ name: 'Floor' }] })).shown;
  let at = 0;
  const hostileText = (): string => texts[at++ % texts.length] as string;
  const opened = await ConsolePage.open(t, {
    mapwright,
    prepare: async (page) => {
      page.on('dialog', (dialog) => void dialog.dismiss());
      await page.route('**/console/session', async (route) => {
        const response = await route.fetch();
        const json = (await response.json()) as { readonly person: object };
        const person = { ...json.person, name: hostileText(), color: hostileText() };
        await route.fulfill({ response, json: { ...json, account: hostileText(), person } });
      });
    },
  });
  await opened.edit(made.id);
  await opened.page.route('**/api/v1/projects/**', (route) => {
    if (!['PATCH', 'POST'].includes(route.request().method())) return route.fallback();
    const detail = hostileText();
    return route.fulfill({
      status: 400,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: detail,
        title: detail,
        status: 400,
        code: detail,
        detail,
        errors: [{ pointer: '/name', detail }],
      }),
    });
  });
  for (let n = 0; n < texts.length; n++) {
    await opened.type('Name', `name ${n}`);
    await opened.page.locator('.field.invalid .problem').waitFor();
    await opened.page.locator('.field.invalid .problem button').click();
  }
  t.equal(await opened.recorded.value('globalThis.pwned ?? 0'), 0, `nothing of ${texts.length} payloads runs`);
  t.equal(await opened.page.locator('.editor :is(script, iframe, object, embed, img, form[action])').count(), 0);
  t.notOk(
    opened.complaints.some((text) => /TrustedHTML|inline/.test(text)),
    'the policy was not needed',
  );
});
