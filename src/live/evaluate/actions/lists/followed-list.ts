/** An action that follows a list: it runs for each item, and changes the objects that the value of the item names. */
import { matchWays } from '../../../../model/resources/action.ts';
import { bounds, type Unmatched } from '../../evaluation.ts';
import { quoted } from '../../evaluation-problems.ts';
import { openRecord, textMember } from '../../open-json.ts';
import type { Found } from '../../project-index.ts';
import { shownJson, textIn, type Value } from '../../values/live-value.ts';
import { conditionsOf } from '../action-conditions.ts';
import { type ActionContext, ActionReader } from '../action-reader.ts';
import { ObjectMatches, type ObjectTable, type Reach } from './object-matches.ts';

/** Sets the new members of the objects that an item names. */
export type SetMembers = (members: Record<string, unknown>, item: number) => void;

/** Objects that items name, with their new members: of the items whose conditions hold, a later one overwrites members of an earlier one. */
export interface Matched {
  readonly objects: readonly Found[];
  readonly members: Record<string, unknown>;
}

export class FollowedLists {
  /** By action, in the order of the project. */
  readonly unmatched: Unmatched[] = [];
  readonly #context: ActionContext;
  readonly #matches: ObjectMatches;

  constructor(context: ActionContext) {
    this.#context = context;
    this.#matches = new ObjectMatches(context.index, context.run);
  }

  /** The list of an action; `undefined`, with a problem, if there is none to follow. */
  listOf(action: Found): FollowedList | undefined {
    this.#context.variables.use(undefined);
    const reach = this.#reachOf(action);
    const iterator = this.#iteratorOf(action);
    if (reach === undefined || iterator === undefined) return undefined;
    const reader = new ActionReader(action, this.#context, iterator);
    const value = reader.variable('/match_variable_id', textMember(action.json, 'match_variable_id'));
    const objects = this.#matches.objects(reach);
    if (objects === undefined) reader.problem('', this.#context.run.reason);
    return value && objects && new FollowedList(reader, value, objects, this.unmatched);
  }

  #reachOf(action: Found): Reach | undefined {
    const { json } = action;
    const found = textMember(json, 'match_by', 'key');
    const by = matchWays.find((way) => way === found);
    const property = textMember(json, 'match_property');
    const artboardId = textMember(json, 'match_artboard_id');
    if (by === undefined) {
      const detail = `there is no way ${quoted(found)} to match; there are ${matchWays.join(', ')}`;
      this.#context.problems.add(action, '/match_by', detail);
    } else if (by === 'property' && property === '') {
      this.#context.problems.add(action, '/match_by', 'no property is chosen: "match_property" is empty');
    } else if (artboardId !== '' && !this.#context.index.artboards.has(artboardId)) {
      this.#context.problems.add(action, '/match_artboard_id', `the artboard ${shownJson(artboardId)} is not in this project`);
    } else {
      return { by, property, artboardId, category: textMember(json, 'match_category') };
    }
    return undefined;
  }

  #iteratorOf(action: Found): number | undefined {
    const below = '/match_variable_id';
    const id = textMember(action.json, 'match_variable_id');
    const position = this.#context.variables.position(id);
    if (position === undefined) {
      this.#context.problems.add(action, below, `the variable ${quoted(id)} is not in this project`);
      return undefined;
    }
    const iterator = this.#context.variables.iteratorOf(position);
    if (iterator !== undefined && this.#context.variables.items(iterator) !== undefined) return iterator;
    const name = quoted(this.#context.variables.name(position));
    const needed = 'it must have one value per item of an iterator, and the iterator a response';
    this.#context.problems.add(action, below, `the variable ${name} has no list of values, so that nothing changes: ${needed}`);
    return undefined;
  }
}

export class FollowedList {
  readonly reader: ActionReader;
  readonly #value: (item: number) => Value;
  readonly #objects: ObjectTable;
  readonly #unmatched: Unmatched[];

  constructor(reader: ActionReader, value: (item: number) => Value, objects: ObjectTable, unmatched: Unmatched[]) {
    this.reader = reader;
    this.#value = value;
    this.#objects = objects;
    this.#unmatched = unmatched;
  }

  /**
   * Runs the action for its items, in their order.
   *
   * @returns what is named and changed, and the objects that no item names; these are none if the steps do not suffice for all items
   */
  run(setMembers: SetMembers): { readonly matched: Iterable<Matched>; readonly others: readonly Found[] } {
    const { reader } = this;
    const { items = [], run } = reader;
    const holds = conditionsOf(reader);
    const matched = new Map<string, Matched>();
    const named = new Set<string>();
    const lost = new Examples<Unmatched['items']['first'][number]>();
    for (let item = 0; item < items.length; item++) {
      if (!run.take(1)) return this.#cut(matched);
      const text = textIn(this.#value(item));
      const objects = text === undefined ? undefined : this.#objects.byText.get(text);
      if (text === undefined || objects === undefined) {
        lost.add({ item, value: text ?? null });
        continue;
      }
      named.add(text);
      if (!holds(item)) continue;
      const { members } = matched.get(text) ?? { members: openRecord<unknown>() };
      setMembers(members, item);
      matched.set(text, { objects, members });
    }
    const others = [...this.#objects.byText].flatMap(([text, objects]) => (named.has(text) ? [] : objects));
    const left = new Examples<Unmatched['objects']['first'][number]>();
    for (const { id } of others) left.add(id);
    this.#unmatched.push({
      action_id: reader.action.id,
      items: { of: items.length, ...lost.result },
      objects: { of: this.#objects.size, ...left.result },
    });
    return { matched: matched.values(), others };
  }

  #cut(matched: ReadonlyMap<string, Matched>): ReturnType<FollowedList['run']> {
    this.reader.problem('', this.reader.run.reason);
    return { matched: matched.values(), others: [] };
  }
}

/** Counts, and keeps the first ones. */
class Examples<T> {
  readonly #first: T[] = [];
  #count = 0;

  add(example: T): void {
    if (this.#count++ < bounds.unmatchedShown) this.#first.push(example);
  }

  get result(): { readonly count: number; readonly first: readonly T[] } {
    return { count: this.#count, first: this.#first };
  }
}
