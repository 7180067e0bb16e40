/** A page with `<mapwright-map>`: expressions for its parts, and a record of its events. */
import type { Test } from 'tap';
import { type Looks, Page } from '../support/browser.ts';
import { keepPicture } from '../support/document-picture.ts';

export const element = "document.querySelector('mapwright-map')";
export const inside = (selector: string): string => `${element}.shadowRoot.querySelector(${JSON.stringify(selector)})`;
export const popupIs = (open: boolean): string => `${inside('.popup')}.hidden === ${!open}`;
export const pressed = inside('.artboards [aria-pressed="true"]');

/**
 * In the page: the events of the element, from its first on; and a copy of a canvas to read from, since reading the canvas of the map itself
 * would make browsers complain.
 */
export const recordEvents = async (page: Page['page']): Promise<void> => {
  await page.addInitScript({
    content: `
      globalThis.events = [];
      for (const name of ['ready', 'click', 'artboard', 'live', 'problem'])
        addEventListener('mapwright-' + name, ({ detail }) => events.push([name, detail]));
      globalThis.picture = (canvas) => {
        const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
        const context = copy.getContext('2d', { willReadFrequently: true });
        context.drawImage(canvas, 0, 0);
        return context;
      };`,
  });
};

/** In the page: counts the requests for live results that the map has begun, and the answers that it has read. The clock of the page has no part in it. */
export const countAnswers = async (page: Page['page']): Promise<void> => {
  await page.addInitScript({
    content: `{
      Object.assign(globalThis, { begun: 0, answers: 0 });
      const { fetch } = globalThis;
      const afterwards = (act) => {
        const { port1, port2 } = new MessageChannel();
        port2.onmessage = act;
        port1.postMessage(0);
      };
      globalThis.fetch = async (url, options) => {
        if (!String(url).endsWith('live.json')) return fetch(url, options);
        begun++;
        const response = await fetch(url, options);
        const read = new Response(await response.text(), response);
        afterwards(() => afterwards(() => answers++));
        return read;
      };
    }`,
  });
};

/** The parts of the script, which it asks for after the first picture. */
export const partsAsked = ({ asked }: Page): string[] => asked.filter((request) => request.includes('/viewer/part-'));

/** Opens a page, and waits until its map is drawn and has its list, or until there is a problem. */
export async function open(t: Test, url: string, looks: Looks = {}): Promise<Page> {
  const page = await Page.open(t, url, { prepare: recordEvents, ...looks });
  await page.until("events.some(([name]) => name === 'ready' || name === 'problem')");
  await page.until(`events.some(([name]) => name === 'problem') || ${element} === null || ${inside('.places')} !== null`);
  return page;
}

/** The place of a point of an artboard of 800 × 600 on the page. */
export async function placeOf(page: Page, x: number, y: number): Promise<[number, number]> {
  const [left, top, width, height, tabs, besidePx, belowPx] = (await page.value(`(() => {
    const { left, top, width, height } = ${inside('.view')}.getBoundingClientRect();
    const { offsetLeft, offsetTop } = ${inside('.controls')};
    return [left, top, width, height, ${inside('.artboards')}.hidden ? 0 : 48, width - offsetLeft, height - offsetTop];
  })()`)) as [number, number, number, number, number, number, number];
  // The map fits the artboard with the same padding on opposite sides, below the switch.
  const fitted = (padding: number) => Math.min((width - 12 - padding) / 800, (height - tabs - 24) / 600);
  const [spareX, spareY] = [(width - 800 * fitted(12)) / 2, (height - tabs - 600 * fitted(12)) / 2];
  // Beside its buttons if they would cover it.
  const padding = width >= 480 && spareX < besidePx && spareY < belowPx ? besidePx + 12 : 12;
  const scale = fitted(padding);
  const centre = 12 + (width - 12 - padding) / 2;
  return [left + centre + (x - 400) * scale, top + tabs + (height - tabs) / 2 + (y - 300) * scale];
}

/** An expression: the opaque colour of a point of the artboard in the map itself, below what fades, as `red,green,blue` up to 255. */
export async function colourAt(page: Page, x: number, y: number): Promise<string> {
  const [left, top] = await placeOf(page, x, y);
  return `(() => {
    const canvas = ${inside('canvas')};
    const box = canvas.getBoundingClientRect();
    const colour = picture(canvas).getImageData(${left} - box.left, ${top} - box.top, 1, 1).data;
    return colour[3] === 255 ? [...colour].slice(0, 3).join() : 'not opaque';
  })()`;
}

/** An expression: whether a point of the artboard has this colour. */
export async function isColour(page: Page, x: number, y: number, colour: string): Promise<string> {
  return `${await colourAt(page, x, y)} === '${colour}'`;
}

/** A picture of the page for the documents. */
export const keep = (page: Page, name: string): Promise<void> => keepPicture(name, () => page.page.screenshot());
