/** An artboard for tools without a browser: objects in a map, one pixel of the screen for each pixel of the artboard. */
import { type Box, contains, isInside } from '../../src/lib/geo/polygon.ts';
import { boxOf, isLine, isPolygon, type Point, type Shape } from '../../src/web/console/shapes/shape.ts';
import { targetsOf } from '../../src/web/console/shapes/snap.ts';
import type { Effect, Held, Scene, Sketch, ToolEvent, ToolState } from '../../src/web/console/tools/tool.ts';

export const none: Held = { shift: false, control: false, alt: false };

/** A room between two corners. */
export const room = (left: number, top: number, right: number, bottom: number): Shape => ({
  coords: [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ],
});

export class Desk {
  state: ToolState;
  readonly effects: Effect[] = [];
  selection: readonly string[] = [];
  canWrite = true;
  /** Pixels of the artboard in one of the screen. */
  unit = 1;
  readonly objects: Map<string, Shape>;

  constructor(tool: ToolState, objects: Readonly<Record<string, Shape>> = {}) {
    this.state = tool;
    this.objects = new Map(Object.entries(objects));
  }

  get scene(): Scene {
    const isHit = (shape: Shape, at: Point) =>
      isPolygon(shape)
        ? !isLine(shape) && isInside(at, shape.coords)
        : Math.hypot(at.x - shape.x, at.y - shape.y) <= shape.radius;
    return {
      canWrite: this.canWrite,
      selection: this.selection,
      unit: this.unit,
      centre: { x: 400, y: 300 },
      isMovable: () => this.canWrite,
      shapeOf: (id) => this.objects.get(id),
      objectAt: (at) => [...this.objects].reverse().find(([, shape]) => isHit(shape, at))?.[0],
      within: (box: Box) => [...this.objects].filter(([, shape]) => contains(box, boxOf(shape))).map(([id]) => id),
      crossing: () => [...this.objects.keys()],
      targets: (except) => targetsOf([...this.objects].filter(([id]) => !except.has(id)).map(([, shape]) => shape)),
    };
  }

  /** Delivers an event. Whether it meant something. */
  send(event: ToolEvent): boolean {
    const step = this.state.next(event, this.scene);
    if (step === undefined) return false;
    this.state = step.to;
    for (const effect of step.effects ?? []) {
      this.effects.push(effect);
      if (effect.do === 'select') this.selection = effect.ids;
      if (effect.do === 'reshape')
        for (const [id, shape] of effect.shapes) this.objects.set(id, { ...this.objects.get(id), ...shape });
    }
    return true;
  }

  get sketch(): Sketch {
    return this.state.sketch(this.scene);
  }

  press(x: number, y: number, held: Partial<Held> = {}): void {
    this.send({ is: 'down', at: { x, y }, held: { ...none, ...held }, isTouch: false });
  }

  move(x: number, y: number, held: Partial<Held> = {}): void {
    this.send({ is: 'move', at: { x, y }, held: { ...none, ...held } });
  }

  release(x: number, y: number, held: Partial<Held> = {}): void {
    this.send({ is: 'up', at: { x, y }, held: { ...none, ...held } });
  }

  click(x: number, y: number, held: Partial<Held> = {}): void {
    this.press(x, y, held);
    this.release(x, y, held);
  }

  drag(from: readonly [number, number], to: readonly [number, number], held: Partial<Held> = {}): void {
    this.press(...from, held);
    this.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, held);
    this.move(...to, held);
    this.release(...to, held);
  }

  /** Arrow keys, by pixels. */
  step(x: number, y: number): void {
    this.send({ is: 'step', by: { x, y } });
  }

  enter(): void {
    this.send({ is: 'enter' });
  }

  /** The shapes that were created. */
  get created(): Shape[] {
    return this.effects.flatMap((effect) => (effect.do === 'create' ? [effect.shape] : []));
  }
}
