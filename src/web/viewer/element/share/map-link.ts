/** The link that leads to what a map shows, and the ways to hand it on. */
import type { Drawing } from '../../drawing/drawing.ts';
import type { ViewBox } from '../../drawing/view/first-view.ts';
import type { ShareHost } from './share-contract.ts';

type Extent = readonly [number, number, number, number];

/** The part of the view that nothing covers, in its coordinates. */
export function visibleExtent({ map, covered: [top, right, bottom, left] }: Drawing): Extent {
  const view = map.getView();
  const resolution = view.getResolution() ?? 1;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = view.calculateExtent(map.getSize());
  return [x1 + left * resolution, y1 + bottom * resolution, x2 - right * resolution, y2 - top * resolution];
}

/** The same in pixels of the artboard, as exact as the screen shows them. */
function visibleBox(drawing: Drawing): ViewBox {
  const [x1, y1, x2, y2] = visibleExtent(drawing);
  const [from, to] = [drawing.toArtboard([x1, y2]), drawing.toArtboard([x2, y1])];
  const digits = Math.max(0, Math.ceil(Math.log10((drawing.map.getSize()?.[0] ?? 1) / Math.max(1e-9, to.x - from.x))));
  const [left = 0, top = 0, right = 0, bottom = 0] = [from.x, from.y, to.x, to.y].map((at) => Number(at.toFixed(digits)));
  return [left, top, right, bottom];
}

/** The address of the page of the map, without a fragment: the page with the element, or that of the published map. */
export function pageAddress({ element, navigation }: ShareHost): string {
  const src = element.getAttribute('src');
  // A page without an address of its own, such as `about:srcdoc`, leads nowhere.
  const isReachable = src === null || /^https?:$/.test(location.protocol);
  const address =
    (navigation.usesAddress && isReachable) || src === null ? new URL(location.href) : new URL(src, document.baseURI);
  address.hash = '';
  return address.href;
}

/** @param what the part of the map that is visible, or the object that is open */
export function linkTo(what: 'view' | 'place', host: ShareHost): string {
  const { drawing } = host.stage;
  const page = pageAddress(host);
  // A map without an address is nowhere but on this page.
  if (drawing === undefined || (host.element.getAttribute('src') === null && !host.navigation.usesAddress)) return page;
  const fragment = host.navigation.fragmentOf(what === 'view' ? visibleBox(drawing) : undefined);
  return fragment === '' ? page : `${page}#${fragment}`;
}

/** `shared`: the visitor has seen the sheet of the system; `failed`: the link must be copied by hand. */
export type Handed = 'shared' | 'copied' | 'failed';

/** Phones have a sheet for links, in which messengers are; elsewhere the link is copied. */
export async function handOn(url: string, title: string): Promise<Handed> {
  try {
    if (matchMedia('(pointer: coarse)').matches && typeof navigator.share === 'function') {
      await navigator.share({ title, url });
      return 'shared';
    }
  } catch (error) {
    if ((error as Error).name === 'AbortError') return 'shared';
  }
  try {
    await navigator.clipboard.writeText(url);
    return 'copied';
  } catch {
    return 'failed';
  }
}
