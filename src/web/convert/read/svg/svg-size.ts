/** The size of the picture of an SVG, also of one that says none, and of an icon. */
import type { Element } from '@xmldom/xmldom';
import type { Box } from '../../../../lib/geo/polygon.ts';
import { lengthOf, type Size, type Viewport, viewBoxOf, viewportOf } from './svg-matrix.ts';

export interface Picture {
  /** In pixels of the artboard. */
  readonly size: Size;
  readonly viewport: Viewport;
  /** The attribute `viewBox` that the file does not have. */
  readonly viewBox: string | undefined;
}

/** Sizes up to that of an icon are no maps: they become larger. In pixels of the longer side. */
const iconMax = 64;
const iconGrown = 800;
const sideMax = 20_000;
/** Where nothing says a size, as in browsers. */
const usual = { width: 300, height: 150 } as const;

type ViewBox = NonNullable<ReturnType<typeof viewBoxOf>>;

/** The size that the file says; `undefined` if it says none. */
export function pictureOf(root: Element): Picture | undefined {
  const box = viewBoxOf(root);
  const [givenWidth, givenHeight] = ['width', 'height'].map((name) => sideOf(root, name));
  const ratio = box === undefined ? undefined : box[2] / box[3];
  const width = givenWidth ?? (givenHeight === undefined ? box?.[2] : ratio && givenHeight * ratio);
  const height = givenHeight ?? (givenWidth === undefined ? box?.[3] : ratio && givenWidth / ratio);
  if (width === undefined || height === undefined) return undefined;
  return pictureIn(root, { width, height }, box);
}

/** Per cent are those of a page, which an artboard does not have. */
function sideOf(root: Element, name: string): number | undefined {
  const text = root.getAttribute(name);
  const side = text?.includes('%') ? undefined : lengthOf(text, 0);
  return side !== undefined && side > 0 ? side : undefined;
}

/** The size that shows everything that is drawn, from 0 if that is near. */
export function pictureAround(root: Element, drawn: Box | undefined): Picture {
  const isBounded = drawn !== undefined && Number.isFinite(drawn.right - drawn.left + drawn.bottom - drawn.top);
  if (!isBounded) return pictureIn(root, usual, undefined);
  const start = (least: number, most: number): number => (least >= 0 && least <= most - least ? 0 : least);
  const [left, top] = [start(drawn.left, drawn.right), start(drawn.top, drawn.bottom)];
  const box: ViewBox = [left, top, drawn.right - left || 1, drawn.bottom - top || 1];
  return { ...pictureIn(root, { width: box[2], height: box[3] }, box), viewBox: box.join(' ') };
}

function pictureIn(root: Element, { width, height }: Size, box: ViewBox | undefined): Picture {
  const longer = Math.max(width, height);
  const scale = longer <= iconMax ? iconGrown / longer : Math.min(1, sideMax / longer);
  const size = scale === 1 ? { width, height } : { width: Math.max(1, width * scale), height: Math.max(1, height * scale) };
  const whole: ViewBox = [0, 0, width, height];
  const viewBox = box === undefined && scale !== 1 ? whole.join(' ') : undefined;
  return { size, viewport: viewportOf(root, size, box ?? whole), viewBox };
}
