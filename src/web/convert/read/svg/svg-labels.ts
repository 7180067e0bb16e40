/** Which names the shapes of an SVG have, and which of its texts say them. */
import type { Pixel } from '../../../../lib/geo/geo.ts';
import { type Box, contains, isInside, union } from '../../../../lib/geo/polygon.ts';
import type { Position, Shape } from '../file-data.ts';
import type { Size } from './svg-matrix.ts';
import type { PlacedText } from './svg-texts.ts';

/** A group of the picture with a name. */
export interface NamedGroup {
  readonly name: string;
  readonly outer: NamedGroup | undefined;
}

/** A shape whose name is not known yet. */
export interface Unnamed {
  readonly box: Box;
  readonly shapes: readonly Shape[];
  /** The name that its author gave to it. */
  readonly own: string | undefined;
  /** A name to take before that of a program: that of the element that `use` shows. */
  readonly weak: string | undefined;
  /** The nearest group around it with a name. */
  readonly group: NamedGroup | undefined;
}

export interface Labels {
  readonly names: readonly (string | undefined)[];
  /** How the map writes the name of a shape: `always` in place of its text, `never` next to it. */
  readonly labels: ReadonlyMap<Unnamed, 'always' | 'never'>;
  /** Texts that objects cover, in their order: they become objects. */
  readonly covered: readonly PlacedText[];
  /** Texts that became the names of shapes, and those that repeat another one in its place. */
  readonly used: ReadonlySet<PlacedText>;
}

/** Corners that are compared with texts: a picture with more of both has no texts in shapes that overlap so much. */
const cornersMax = 50_000_000;
/** Part of the size of a shape by which the others of its group may reach beyond it. */
const beyond = 0.1;
/** Part of the picture that its ground covers. */
const groundShare = 0.9;
/** Distance of a text from the middle of a shape up to which the name of the shape takes its place; in sizes of the shape. */
const middleShare = 0.3;

/** Yields after each text. */
export function* labelsOf(shapes: readonly Unnamed[], texts: readonly PlacedText[], size: Size): Generator<undefined, Labels> {
  const distinct = withoutCopies(texts);
  const finder = new AreaFinder(texts.length === 0 ? [] : shapes);
  const textsIn = new Map<Unnamed, PlacedText[]>();
  for (const text of distinct) {
    const shape = finder.find(text.anchor) ?? finder.find(text.centre);
    if (shape !== undefined) textsIn.set(shape, [...(textsIn.get(shape) ?? []), text]);
    yield;
  }
  const named = namesOf(shapes, textsIn, size);
  const labels = new Map<Unnamed, 'always' | 'never'>();
  const used = new Set(texts.filter((text) => !distinct.has(text)));
  for (const [i, shape] of shapes.entries()) {
    const inside = textsIn.get(shape) ?? [];
    if (!inside.some(({ text }) => text === named[i])) continue;
    const [only] = inside;
    const takes = inside.length === 1 && only !== undefined && isInMiddle(only, shape);
    labels.set(shape, takes ? 'always' : 'never');
    if (takes) used.add(only);
  }
  const inShapes = new Set([...textsIn.values()].flat());
  return { names: named, labels, covered: texts.filter((text) => inShapes.has(text) && !used.has(text)), used };
}

/** Programs draw a text twice for a halo. */
function withoutCopies(texts: readonly PlacedText[]): Set<PlacedText> {
  const seen = new Set<string>();
  return new Set(
    texts.filter(({ text, anchor: { x, y } }) => {
      const key = `${Math.round(x)} ${Math.round(y)} ${text}`;
      return seen.has(key) ? false : seen.add(key);
    }),
  );
}

/** A name of a spot stands beside it, that of an area in it. */
function isInMiddle({ centre }: PlacedText, { box, shapes }: Unnamed): boolean {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const isNear = Math.abs(centre.x - x) <= middleShare * width && Math.abs(centre.y - y) <= middleShare * height;
  return isNear && shapes.every(({ kind }) => kind === 'ring');
}

const pixelsOf = (ring: readonly Position[]): Pixel[] => ring.map(([x, y]) => ({ x, y }));

/** Finds the smallest area at a point. */
class AreaFinder {
  /** The smallest first. */
  readonly #areas: readonly Unnamed[];
  /** Left, top, right and bottom of each. */
  readonly #boxes: Float64Array;
  readonly #rings = new Map<Shape, readonly Pixel[][]>();
  #left = cornersMax;

  constructor(shapes: readonly Unnamed[]) {
    this.#areas = shapes
      .map((shape) => ({ shape, area: shape.shapes.reduce((sum, each) => sum + areaOf(each), 0) }))
      .filter(({ area }) => area > 0)
      .sort((a, b) => a.area - b.area)
      .map(({ shape }) => shape);
    this.#boxes = Float64Array.from(this.#areas.flatMap(({ box: { left, top, right, bottom } }) => [left, top, right, bottom]));
  }

  find(at: Pixel): Unnamed | undefined {
    const { x, y } = at;
    const boxes = this.#boxes;
    const side = (i: number): number => boxes[i] as number;
    for (let i = 0; i < boxes.length; i += 4) {
      if (x < side(i) || y < side(i + 1) || x > side(i + 2) || y > side(i + 3)) continue;
      const area = this.#areas[i / 4] as Unnamed;
      if (area.shapes.some((each) => this.#isIn(at, each))) return area;
    }
    return undefined;
  }

  #isIn(at: Pixel, shape: Shape): boolean {
    if (shape.kind === 'circle') return Math.hypot(at.x - shape.at[0], at.y - shape.at[1]) <= shape.radius;
    if (shape.kind !== 'ring') return false;
    let rings = this.#rings.get(shape);
    if (rings === undefined) {
      rings = [shape.ring, ...shape.holes].map(pixelsOf);
      this.#rings.set(shape, rings);
    }
    const [ring = [], ...holes] = rings;
    this.#left -= rings.reduce((sum, { length }) => sum + length, 0);
    return this.#left > 0 && isInside(at, ring) && !holes.some((hole) => isInside(at, hole));
  }
}

function areaOf(shape: Shape): number {
  if (shape.kind === 'circle') return Math.PI * shape.radius * shape.radius;
  if (shape.kind !== 'ring') return 0;
  const [ring, ...holes] = [shape.ring, ...shape.holes].map(ringArea);
  return (ring as number) - holes.reduce((sum, hole) => sum + hole, 0);
}

function ringArea(ring: readonly Position[]): number {
  let area = 0;
  let [beforeX, beforeY] = ring.at(-1) as Position;
  for (const [x, y] of ring) {
    area += beforeX * y - x * beforeY;
    [beforeX, beforeY] = [x, y];
  }
  return Math.abs(area) / 2;
}

/** A group: the space of all its shapes, and of those that it names, the largest one and their texts. */
interface Content {
  box: Box;
  largest: Box | undefined;
  readonly texts: Set<string>;
}

function namesOf(
  shapes: readonly Unnamed[],
  textsIn: ReadonlyMap<Unnamed, readonly PlacedText[]>,
  size: Size,
): (string | undefined)[] {
  const contents = new Map<NamedGroup, Content>();
  const textOf = (shape: Unnamed): string | undefined =>
    isGround(shape, shapes, size) ? undefined : mainText(textsIn.get(shape));
  for (const shape of shapes) {
    for (let { group } = shape; group !== undefined; group = group.outer) {
      const content = contents.get(group);
      if (content === undefined) contents.set(group, { box: shape.box, largest: undefined, texts: new Set() });
      else if (!contains(content.box, shape.box)) content.box = union(content.box, shape.box);
    }
    const content = shape.own === undefined && shape.group !== undefined ? contents.get(shape.group) : undefined;
    const text = textOf(shape);
    if (content === undefined) continue;
    if (content.largest === undefined || sizeOf(shape.box) > sizeOf(content.largest)) content.largest = shape.box;
    if (text !== undefined) content.texts.add(text);
  }
  return shapes.map((shape) => {
    if (shape.own !== undefined) return shape.own;
    const { group, weak } = shape;
    const isThing = group !== undefined && isOneThing(contents.get(group) as Content);
    return isThing ? group.name : (textOf(shape) ?? weak ?? group?.name);
  });
}

const sizeOf = ({ left, right, top, bottom }: Box): number => (right - left) * (bottom - top);

/** True if the largest shape of a group has the others inside: its drawing, and not several places with texts of their own. */
function isOneThing({ box, largest, texts }: Content): boolean {
  if (texts.size > 1 || largest === undefined) return false;
  const [across, down] = [beyond * (largest.right - largest.left), beyond * (largest.bottom - largest.top)];
  const around = {
    left: largest.left - across,
    right: largest.right + across,
    top: largest.top - down,
    bottom: largest.bottom + down,
  };
  return contains(around, box);
}

/** The one with the largest letters, or the first one of those. */
const mainText = (texts: readonly PlacedText[] = []): string | undefined =>
  texts.reduce<PlacedText | undefined>((main, each) => (main === undefined || each.size > main.size ? each : main), undefined)
    ?.text;

/** True for the paper of a drawing: a text on it is not its name. */
const isGround = ({ box }: Unnamed, { length }: readonly Unnamed[], { width, height }: Size): boolean =>
  length > 1 && box.right - box.left >= groundShare * width && box.bottom - box.top >= groundShare * height;
