// tier: normal
/**
 * Hostile projects on the page of a published map: no script runs without the sanitizer, because of the policy; and none without the policy,
 * because of the sanitizer. A single run with both would prove neither.
 */
import t, { type Test } from 'tap';
import { viewerParts } from '../../src/api/pages/viewer-endpoint.ts';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { test } from '../support/test.ts';
import { sampled } from '../support/tier.ts';
import { bundled } from './drawing-page.ts';
import { hostileObject, payloads, picturesFailed } from './payloads.ts';
import { artboard, project } from './samples.ts';
import { Site, type SiteOptions } from './site.ts';

t.setTimeout(600_000);

/** A sanitizer that lets everything through, as markup. */
const noSanitizer = `
  const policy = globalThis.trustedTypes?.createPolicy('none at all', { createHTML: (text) => text });
  export default {
    sanitize(text) {
      return document.createRange().createContextualFragment(policy === undefined ? text : policy.createHTML(text));
    },
  };`;

/** One object per payload, with it in every text. */
function hostile(texts: readonly string[]): Record<string, unknown> {
  const objects = texts.map((text, at) => ({
    ...hostileObject(text, at),
    id: `o${at}`,
    hover_stroke_color: text,
    stroke_width: 2,
    blend_mode: text,
    click_action: at % 3 === 0 ? 'follow-link' : 'none',
    click_action_artboard_id: text,
  }));
  const popups = texts.map((text, at) => ({
    id: `p${at}`,
    attachedTo: `o${at}`,
    name: text,
    title: text,
    image: text,
    content: text,
    buttonText: text,
    buttonLink: text,
  }));
  const backgrounds = texts.map((text, at) =>
    artboard(text, [], { id: `b${at}`, type: at % 2 === 0 ? 'image' : 'color', image_url: text, bg_color: text }),
  );
  return project([artboard('Hostile', objects), ...backgrounds], popups);
}

/** A harmless map, and a live result that puts one payload into every text of each object and popup, and creates the same again. */
function hostileLive(texts: readonly string[]): { map: Record<string, unknown>; live: unknown } {
  const evil = hostile(texts) as {
    artboards: { objects: Record<string, unknown>[] }[];
    popups: Record<string, unknown>[];
  };
  const objects = evil.artboards[0]?.objects ?? [];
  const byId = (items: readonly Record<string, unknown>[]) =>
    Object.fromEntries(items.map(({ id, ...members }) => [id, members]));
  const harmless = objects.map(({ id }, at) => ({ id, name: `Object ${at}`, type: 'spot', x: at, y: at }));
  const attached = evil.popups.map(({ id, attachedTo }) => ({ id, attachedTo, title: 'Popup', content: 'Text' }));
  return {
    map: project([artboard('Hostile', harmless)], attached),
    live: {
      version: 1,
      at: texts[0],
      objects: { ...byId(objects), ...Object.fromEntries(texts.map((text) => [text, { name: text }])) },
      popups: byId(evil.popups),
      created: objects.map((object, at) => ({
        artboard_id: 'artboard-Hostile',
        // An identifier may be a payload, too.
        object: { ...object, id: `live ${texts[at]}` },
        popup: evil.popups[at],
      })),
    },
  };
}

const element = "document.querySelector('mapwright-map')";

/** Opens every popup and every artboard; returns what ran, where links lead, and how many elements popups had. */
const useEverything = `(async () => {
  const map = ${element};
  const root = map.shadowRoot;
  const schemes = new Set();
  let elements = 0;
  for (const { id } of map.shownArtboard.objects) {
    map.open(id);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    elements += root.querySelectorAll('.popup .content *').length;
    for (const link of root.querySelectorAll('.popup a[href]')) schemes.add(link.protocol);
    for (const focusable of root.querySelectorAll('.popup .content [tabindex]')) focusable.focus();
  }
  for (const { id } of map.map.artboards) {
    map.show(id);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  await ${picturesFailed('root')};
  return { schemes: [...schemes].sort(), elements, pwned: globalThis.pwned ?? 0 };
})()`;

/** How payloads reach a map: in the published document, or in its live result. */
const ways = {
  document: (site: Site, texts: readonly string[]): string => site.pageWith(hostile(texts), 'list search'),
  'live result': (site: Site, texts: readonly string[]): string => {
    const { map, live } = hostileLive(texts);
    site.setLive('demo', live);
    return site.pageWith(map, 'list search', 'demo', 60);
  },
};

/** @param others requests to elsewhere that are expected */
async function attack(t: Test, way: keyof typeof ways, options: SiteOptions, others = /^(?:image|media) /): Promise<Page> {
  const texts = sampled(payloads, 25);
  const site = await Site.open(t, { tiles: 'none', ...options });
  const other: string[] = [];
  const prepare = async (page: Page['page']): Promise<void> => {
    page.on('dialog', (dialog) => void dialog.dismiss());
    page.on('popup', (popup) => void popup.close());
    await page.route(
      (url) => url.origin !== site.url,
      (route) => {
        other.push(`${route.request().resourceType()} ${route.request().url()}`);
        return route.abort();
      },
    );
  };
  const page = await Page.open(t, ways[way](site, texts), { prepare });
  const objects = texts.length * (way === 'document' ? 1 : 2);
  await page.until(`${element}?.shownArtboard?.objects.length === ${objects}`);
  await page.until(hasParts);
  const { schemes, elements, pwned } = (await page.value(useEverything)) as {
    schemes: string[];
    elements: number;
    pwned: number;
  };
  t.equal(pwned, 0, `nothing of ${texts.length} payloads runs`);
  t.ok(elements > 0, `${elements} elements of popups are shown`);
  t.strictSame(
    schemes.filter((scheme) => !['http:', 'https:', 'mailto:', 'tel:'].includes(scheme)),
    [],
  );
  // Pictures are allowed; in popups also from elsewhere.
  t.strictSame(
    other.filter((request) => !others.test(request)),
    [],
    'nothing but pictures is requested from elsewhere',
  );
  t.equal(page.page.url().split('#')[0], `${site.url}/p/demo`, 'the page is where it was');
  return page;
}

/** Whether the part that shows popups is there: a popup that is closed before that is never shown. */
const hasParts = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/viewer/part-')).length === 2 &&
  ${element}.shadowRoot.querySelector('.places') !== null`;

t.test('the list of payloads has at least 200 distinct entries', (t) => {
  t.ok(new Set(payloads).size >= 200, `${new Set(payloads).size}`);
  t.end();
});

for (const [way, tested] of [
  ['document', t.test.bind(t)],
  ['live result', test.all],
] as const) {
  tested(`no payload of a ${way} runs without the sanitizer, because of the policy`, { skip }, async (t) => {
    const details = await bundled("export * from './element/details/details-part.ts';", 'esm', { dompurify: noSanitizer });
    // A map within a popup reads its document, which is no script; the sanitizer removes such a map.
    const page = await attack(t, way, { details }, /^(?:(?:image|media) |fetch .*\/map\.json$)/);
    t.ok(
      page.complaints.some((text) => /Content Security Policy/.test(text)),
      'the policy was needed',
    );
  });

  tested(`no payload of a ${way} runs without the policy, because of the sanitizer`, { skip }, async (t) => {
    const page = await attack(t, way, { policy: '' });
    t.notOk(page.complaints.some((text) => /Content Security Policy/.test(text)));
  });
}

test.all('a payload runs without policy and sanitizer', { skip }, async (t) => {
  const details = await bundled("export * from './element/details/details-part.ts';", 'esm', { dompurify: noSanitizer });
  for (const [way, pwned] of [
    ['document', 1],
    ['live result', 2],
  ] as const) {
    const site = await Site.open(t, { details, policy: '', tiles: 'none' });
    const page = await Page.open(t, ways[way](site, ['<img src=x onerror="top.pwned=(top.pwned??0)+1">']));
    await page.until(`${element}?.shownArtboard?.objects.length === ${pwned}`);
    await page.until(hasParts);
    t.match(await page.value(useEverything), { pwned }, way);
  }
});

t.test('the served part that shows popups contains the sanitizer', (t) => {
  t.ok([...viewerParts().values()].some((part) => part.includes('DOMPurify') && part.includes('createPanelDetails')));
  t.end();
});
