/** Actions that create objects: one, or one per item of the iterator that their coordinates depend on. */
import { bounds, type CreatedObject, type Members } from '../evaluation.ts';
import { grouped, quoted } from '../evaluation-problems.ts';
import type { EvaluationRun } from '../evaluation-run.ts';
import { isObject, member, textMember } from '../open-json.ts';
import type { Found } from '../project-index.ts';
import { kindOf } from '../values/live-value.ts';
import { numberIn } from '../values/number-form.ts';
import { type Vertex, Vertices } from '../values/vertices.ts';
import { conditionsOf } from './action-conditions.ts';
import type { ActionReader } from './action-reader.ts';
import { type SetStyles, stylesOf } from './action-styles.ts';
import { popupMaker } from './popup-texts.ts';
import { objectDefaults } from './resource-defaults.ts';

/** The identifiers of variables that the coordinates depend on, with the members that name them. */
export function coordinateVariables({ json }: Found, isSpot: boolean): { readonly below: string; readonly id: string }[] {
  if (!isSpot) {
    const name = 'create_poly_coords_variable_id';
    return [{ below: `/${name}`, id: textMember(json, name) }];
  }
  return ['x', 'y'].flatMap((axis) => {
    if (sourceType(json, axis) !== 'variable') return [];
    const name = `create_spot_${axis}_variable_id`;
    return [{ below: `/${name}`, id: textMember(json, name) }];
  });
}

const sourceType = (json: Found['json'], axis: string): string => textMember(json, `create_spot_${axis}_source_type`, 'custom');

/** The coordinates of a created object; `undefined` if it is left out. */
type Place = (item: number) => Readonly<Record<string, unknown>> | undefined;

/** What the actions have created so far. */
export interface Created {
  readonly list: CreatedObject[];
  /** Identifiers of the objects. */
  readonly ids: Set<string>;
}

/** Creates the objects of an action, and appends them to `created`. */
export function createObjects(reader: ActionReader, artboard: Found, isSpot: boolean, created: Created): void {
  const { run, items } = reader;
  const place = isSpot ? spotPlace(reader) : outlinePlace(reader, run);
  if (place === undefined) return;
  const holds = conditionsOf(reader);
  const make = new ObjectMaker(reader, artboard, isSpot, stylesOf(reader), created.ids);
  const count = items === undefined ? 1 : items.length;
  for (let item = 0; item < count; item++) {
    if (!run.take(1)) {
      reader.problem('', run.reason);
      break;
    }
    if (!holds(item)) continue;
    const coordinates = place(item);
    if (coordinates === undefined) continue;
    if (created.list.length >= bounds.createdObjects) {
      reader.problem('', `the actions create more than ${grouped(bounds.createdObjects)} objects; the others are left out`);
      break;
    }
    created.list.push(make.object(item, coordinates));
  }
  reader.report();
}

function spotPlace(reader: ActionReader): Place | undefined {
  const [x, y] = [coordinate('x', reader), coordinate('y', reader)];
  if (x === undefined || y === undefined) return undefined;
  return (item) => {
    const [left, top] = [x(item), y(item)];
    return left === undefined || top === undefined ? undefined : { x: left, y: top };
  };
}

function coordinate(axis: 'x' | 'y', reader: ActionReader): ((item: number) => number | undefined) | undefined {
  const { json } = reader.action;
  if (sourceType(json, axis) !== 'variable') {
    const below = `create_spot_${axis}_custom_value`;
    const text = textMember(json, below);
    const value = numberIn(text.trim());
    if (value === undefined) return reader.problem(`/${below}`, `${axis} must be a number, not ${quoted(text)}`);
    return () => value;
  }
  const below = `/create_spot_${axis}_variable_id`;
  const read = reader.variable(below, textMember(json, below.slice(1)));
  if (read === undefined) return undefined;
  return (item) => {
    const value = read(item);
    const number = numberIn(value);
    if (number !== undefined) return number;
    if (value !== undefined) reader.run.fail(`${axis} must be a number, not ${kindOf(value)}`);
    return reader.failed(below, item);
  };
}

const cornersMin = 3;

function outlinePlace(reader: ActionReader, run: EvaluationRun): Place | undefined {
  const below = '/create_poly_coords_variable_id';
  const read = reader.variable(below, textMember(reader.action.json, below.slice(1)));
  if (read === undefined) return undefined;
  return (item) => {
    const value = read(item);
    if (value instanceof Vertices && value.points.length >= cornersMin) {
      // On a map, longitudes and latitudes become pixels.
      if (!run.take(value.points.length)) return reader.failed(below, item);
      const { place } = run;
      const coords =
        value.isGeographic && place !== undefined ? value.points.map(({ x, y }): Vertex => place(y, x)) : value.points;
      return { coords };
    }
    if (value instanceof Vertices) run.fail(`a polygon needs ${cornersMin} vertices, not ${value.points.length}`);
    else if (value !== undefined) run.fail(`the coordinates must be a list of points, not ${kindOf(value)}`);
    return reader.failed(below, item);
  };
}

const noName = 'Untitled Object';

/** Makes created objects with their popups. */
class ObjectMaker {
  readonly #reader: ActionReader;
  readonly #artboardId: string;
  readonly #type: string;
  readonly #styles: SetStyles;
  readonly #name: (item: number) => string | undefined;
  readonly #popup: ((item: number, objectId: string) => Members) | undefined;
  readonly #ids: Set<string>;

  constructor(reader: ActionReader, artboard: Found, isSpot: boolean, styles: SetStyles, ids: Set<string>) {
    this.#reader = reader;
    this.#artboardId = artboard.id;
    this.#type = isSpot ? 'spot' : 'poly';
    this.#styles = styles;
    this.#ids = ids;
    this.#name = reader.text('create_object_name', 'text');
    const makes = popupMaker(reader);
    this.#popup = makes && ((item, objectId) => makes(item, objectId, `${objectId}-popup`));
  }

  object(item: number, coordinates: Readonly<Record<string, unknown>>): CreatedObject {
    const action = this.#reader.action.id;
    const id = this.#idOf(item);
    const object = { ...objectDefaults, id, name: this.#name(item) || noName, type: this.#type, ...coordinates };
    this.#styles(object, item);
    return { action_id: action, artboard_id: this.#artboardId, object, popup: this.#popup?.(item, id) ?? null };
  }

  /** The identifier of the item, so that its object keeps its own when others come and go; the position of an item without one. */
  #idOf(item: number): string {
    const json = this.#reader.items?.[item];
    const id = isObject(json) ? member(json, 'id') : undefined;
    const key =
      (typeof id === 'string' && id !== '' && id.length <= keyLengthMax) || typeof id === 'number' ? String(id) : String(item);
    // Two items with one identifier, or a position that another item has as its identifier.
    let made = `live-${this.#reader.action.id}-${key}`;
    while (this.#ids.has(made)) made = `${made}.${item}`;
    this.#ids.add(made);
    return made;
  }
}

const keyLengthMax = 200;
