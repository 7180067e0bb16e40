/** Runs the tool in use: delivers events to its state, draws its sketch, and carries its effects out. */
import { boundingExtent, containsExtent, type Extent } from 'ol/extent.js';
import { type Box, contains } from '../../../lib/geo/polygon.ts';
import { splitObjects } from '../commands/arrange-commands.ts';
import { addShapes } from '../commands/object-commands.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { boxBetween, boxOf, type Point, type Shape, shapeOf } from '../shapes/shape.ts';
import { noTargets, type SnapTargets, targetsOf } from '../shapes/snap.ts';
import { allTools } from '../tools/all-tools.ts';
import type { Effect, Scene, Sketch, Step, ToolEvent, ToolState } from '../tools/tool.ts';
import type { ToolName } from '../tools/tool-names.ts';
import type { Drawing, ObjectFeature } from './drawing-module.ts';
import type { ObjectMoves } from './object-moves.ts';
import type { SketchLayer } from './sketch-layer.ts';

/** Pixels around the pointer in which an object counts as hit: fingers and small spots. */
const hitTolerance = 4;
/** Objects in view up to which something snaps to them. */
const snapMax = 3000;

export class ToolRunner {
  readonly #model: EditorModel;
  readonly #drawing: Drawing;
  readonly #moves: ObjectMoves;
  readonly #sketch: SketchLayer;
  readonly #textAt: (pixel: readonly number[]) => string | undefined;
  #state: ToolState = allTools.select;
  #shown: Sketch = {};
  /** What can be snapped to, as long as objects and view are the same. */
  #targets: { readonly key: string; readonly found: SnapTargets } = { key: '', found: noTargets };

  /** @param textAt the text that is written at a pixel of the map */
  constructor(
    model: EditorModel,
    drawing: Drawing,
    moves: ObjectMoves,
    sketch: SketchLayer,
    textAt: (pixel: readonly number[]) => string | undefined,
  ) {
    this.#model = model;
    this.#textAt = textAt;
    this.#drawing = drawing;
    this.#moves = moves;
    this.#sketch = sketch;
  }

  /** Takes another tool; what was being drawn with the former one is given up. */
  use(tool: ToolName): void {
    this.#goTo(allTools[tool]);
  }

  /** Draws the sketch again, because the selection or its objects have changed. */
  refresh(): void {
    if (this.#shown.shapes === undefined) this.#goTo(this.#state);
  }

  /** Delivers an event. Whether it meant something. */
  send(event: ToolEvent): boolean {
    const isMore = event.is === 'down' && this.#model.selection.isAdding.value;
    const step = this.#state.next(isMore ? { ...event, held: { ...event.held, shift: true } } : event, this.#scene);
    if (step === undefined) return false;
    this.#take(step, (shape) => void addShapes(this.#model, [shape]));
    return true;
  }

  /** Places of drawing tools by keys, as if each were followed by Enter. What they draw is created in one step. */
  place(places: readonly Point[]): void {
    const shapes: Shape[] = [];
    for (const at of places)
      for (const event of [{ is: 'place', at }, { is: 'enter' }] as const) {
        const step = this.#state.next(event, this.#scene);
        if (step !== undefined) this.#take(step, (shape) => shapes.push(shape));
      }
    if (shapes.length === 0) return;
    // Without a cursor, Enter edits what was drawn.
    this.use(this.#model.workspace.tool.value);
    void addShapes(this.#model, shapes);
  }

  #take({ to, effects = [] }: Step, create: (shape: Shape) => void): void {
    const isSaved = effects.some((effect) => effect.do === 'reshape');
    this.#goTo(to, isSaved);
    for (const effect of effects)
      if (effect.do === 'create') create(effect.shape);
      else this.#perform(effect);
  }

  #goTo(state: ToolState, isSaved = false): void {
    const before = this.#shown.shapes;
    this.#state = state;
    this.#shown = state.sketch(this.#scene);
    const { shapes, pointer } = this.#shown;
    if (shapes !== undefined) this.#moves.show(shapes);
    else if (before !== undefined && !isSaved) this.#moves.cancel(before.keys());
    this.#sketch.show(this.#shown);
    this.#model.workspace.toolState.value = state.name;
    const element = this.#drawing.map.getTargetElement();
    if (element !== null && element !== undefined) element.style.cursor = pointer ?? '';
  }

  #perform(effect: Exclude<Effect, { readonly do: 'create' }>): void {
    const model = this.#model;
    switch (effect.do) {
      case 'select':
        model.selection.select(effect.ids);
        break;
      case 'edit':
        model.selection.select([effect.id], { field: 'name' });
        break;
      case 'reshape':
        void this.#moves.end(effect.shapes);
        break;
      case 'split':
        void splitObjects(model, effect.pieces);
        break;
      case 'write':
        model.workspace.textPlace.value = effect.at;
        break;
      case 'notice':
        model.document.edits.notices.say(effect.text);
        break;
      case 'say':
        model.workspace.said.value = effect.text;
        break;
    }
  }

  get #scene(): Scene {
    const { document } = this.#model;
    const { map } = this.#drawing;
    const view = map.getView();
    const shape = (id: string): Shape | undefined => {
      const feature = this.#drawing.featureOf(id);
      return feature === undefined ? undefined : shapeOf(feature.object);
    };
    return {
      canWrite: document.canWrite,
      selection: this.#model.selection.ids.value.filter((id) => this.#drawing.featureOf(id) !== undefined),
      unit: (view.getResolution() ?? 1) / this.#drawing.measures.scale,
      centre: this.#drawing.toArtboard(view.getCenter() ?? [0, 0]),
      isMovable: (id) => document.isEditable(id),
      shapeOf: shape,
      objectAt: (at) => {
        const pixel = map.getPixelFromCoordinate(this.#drawing.toView(at)) as number[] | null;
        return pixel === null ? undefined : (this.#textAt(pixel) ?? this.#drawing.objectAt(pixel, hitTolerance)?.id);
      },
      within: (box) => this.#within(box),
      crossing: ([from, to]) => this.#featuresIn(this.#extentOf(boxBetween(from, to))).map(({ object }) => object.id),
      targets: (except) => this.#targetsWithout(except),
    };
  }

  #extentOf({ left, top, right, bottom }: Box): Extent {
    return boundingExtent(
      [
        { x: left, y: top },
        { x: right, y: bottom },
      ].map((corner: Point) => this.#drawing.toView(corner)),
    );
  }

  #featuresIn(extent: Extent): ObjectFeature[] {
    const found: ObjectFeature[] = [];
    this.#drawing.objects.forEachFeatureInExtent(extent, (feature) => {
      if (!feature.isHidden) found.push(feature);
    });
    return found.sort((a, b) => a.order - b.order);
  }

  #within(box: Box): readonly string[] {
    return this.#featuresIn(this.#extentOf(box)).flatMap(({ object }) => {
      const shape = shapeOf(object);
      return object.interactive && shape !== undefined && contains(box, boxOf(shape)) ? [object.id] : [];
    });
  }

  #targetsWithout(except: ReadonlySet<string>): SnapTargets {
    const { map, objects } = this.#drawing;
    const extent = map.getView().calculateExtent(map.getSize());
    const key = `${objects.getRevision()} ${extent.join()} ${[...except].join()}`;
    if (key === this.#targets.key) return this.#targets.found;
    const features = this.#featuresIn(extent);
    // What reaches beyond the view has edges that nobody sees.
    const isSeen = (feature: ObjectFeature) => containsExtent(extent, feature.getGeometry()?.getExtent() ?? extent);
    const shapes = features
      .filter((feature) => !except.has(feature.object.id) && isSeen(feature))
      .flatMap(({ object }) => shapeOf(object) ?? []);
    const found = features.length > snapMax ? noTargets : targetsOf(shapes);
    this.#targets = { key, found };
    return found;
  }
}
