/**
 * Finds the objects that values of a list name: by key, name or property, on one artboard or all, of one category or any. A published map does
 * not contain keys and unpublished properties; `match_values` of its rules has those that rules match by.
 */
import type { MatchWay } from '../../../../model/resources/action.ts';
import type { EvaluationRun } from '../../evaluation-run.ts';
import { isObject, member, type OpenObject, textMember } from '../../open-json.ts';
import { byText, type Found, type ProjectIndex } from '../../project-index.ts';
import { textIn } from '../../values/live-value.ts';

/** Which objects an action may change, and the text of each that its list names. */
export interface Reach {
  readonly by: MatchWay;
  /** Name of the property, for `property`. */
  readonly property: string;
  /** Empty for all artboards. */
  readonly artboardId: string;
  /** Empty for all categories. */
  readonly category: string;
}

/** The objects in reach by their text, in the order of the project; those with an empty text are left out. */
export interface ObjectTable {
  readonly byText: ReadonlyMap<string, readonly Found[]>;
  /** Number of objects. */
  readonly size: number;
}

/** An object is read, found and perhaps changed by an action: as much work as so many nodes of an expression. */
const stepsPerObject = 3;

export class ObjectMatches {
  readonly #index: ProjectIndex;
  readonly #run: EvaluationRun;
  readonly #byReach = new Map<string, ObjectTable>();

  constructor(index: ProjectIndex, run: EvaluationRun) {
    this.#index = index;
    this.#run = run;
  }

  /** The table of a reach, which several actions share; `undefined` if the steps do not suffice. */
  objects(reach: Reach): ObjectTable | undefined {
    const { by, property, artboardId, category } = reach;
    const name = JSON.stringify([by, property, artboardId, category]);
    const known = this.#byReach.get(name);
    if (known !== undefined) return this.#run.take(known.size * stepsPerObject) ? known : undefined;
    if (!this.#run.take(this.#index.objects.size * stepsPerObject)) return undefined;
    const table = this.#tableOf(reach);
    this.#byReach.set(name, table);
    return table;
  }

  #tableOf(reach: Reach): ObjectTable {
    const textOf = textReader(reach, this.#index);
    const artboard = this.#index.artboards.get(reach.artboardId);
    const isInReach = ({ pointer, json }: Found): boolean =>
      (artboard === undefined || pointer.startsWith(`${artboard.pointer}/`)) &&
      (reach.category === '' || textMember(json, 'category') === reach.category);
    const table = byText([...this.#index.objects.values()].filter(isInReach), textOf);
    return { byText: table, size: [...table.values()].reduce((sum, objects) => sum + objects.length, 0) };
  }
}

/** Reads the text of an object; empty if it has none. */
function textReader({ by, property }: Reach, { json }: ProjectIndex): (object: Found) => string {
  if (by === 'name') return (object) => textMember(object.json, 'name');
  const kept = memberObject(json, 'match_values');
  if (by === 'key') return (object) => textMember(object.json, 'key') || textMember(memberObject(kept, object.id), 'key');
  const valueIn = (object: OpenObject): unknown => member(memberObject(object, 'properties'), property);
  return (object) => textIn(valueIn(object.json) ?? valueIn(memberObject(kept, object.id))) ?? '';
}

function memberObject(object: OpenObject, name: string): OpenObject {
  const value = member(object, name);
  return isObject(value) ? value : {};
}
