/** Runs the actions of a project, in its order: a later one overwrites what an earlier one set. */
import type { CreatedObject, CreatedPopup, Members, Unmatched } from '../evaluation.ts';
import { quoted } from '../evaluation-problems.ts';
import { listMember, member, openRecord, textMember } from '../open-json.ts';
import type { Found } from '../project-index.ts';
import { shownJson } from '../values/live-value.ts';
import { conditionsOf } from './action-conditions.ts';
import { type ActionContext, ActionReader } from './action-reader.ts';
import { otherStylesOf, type SetStyles, stylesOf } from './action-styles.ts';
import { type Created, coordinateVariables, createObjects } from './create-objects.ts';
import { FollowedLists } from './lists/followed-list.ts';
import { Changes } from './member-changes.ts';
import { PopupChanges } from './popup-changes.ts';
import { textSetter } from './popup-texts.ts';
import { objectDefaults } from './resource-defaults.ts';

const creations = ['create-spot', 'create-poly', 'create-spots', 'create-polys'] as const;
type Creation = (typeof creations)[number];
const isCreation = (type: string): type is Creation => (creations as readonly string[]).includes(type);
const types = ['modify-object', ...creations, 'modify-objects', 'modify-popup'];

/** The values of members that an object does not have, besides those with defaults in every response. */
const absentMembers = { icon: '', category: '', label_text: '' };

export class ActionRuns {
  readonly #created: Created = { list: [], ids: new Set() };
  readonly #objects = new Changes({ ...objectDefaults, ...absentMembers });
  readonly #popups: PopupChanges;
  readonly #lists: FollowedLists;
  readonly #context: ActionContext;

  constructor(context: ActionContext) {
    this.#context = context;
    this.#popups = new PopupChanges(context.index);
    this.#lists = new FollowedLists(context);
    for (const action of context.index.actions) this.#runAction(action);
  }

  get created(): readonly CreatedObject[] {
    return this.#created.list;
  }

  /** By identifier: members that differ from the project. */
  get objects(): Readonly<Record<string, Members>> {
    return this.#objects.result;
  }

  get popups(): Readonly<Record<string, Members>> {
    return this.#popups.changed;
  }

  get createdPopups(): readonly CreatedPopup[] {
    return this.#popups.created;
  }

  get unmatched(): readonly Unmatched[] {
    return this.#lists.unmatched;
  }

  #runAction(action: Found): void {
    const { json } = action;
    const type = textMember(json, 'type', 'modify-object');
    if (type === 'modify-object') {
      this.#modifyObjects(action, [{ below: '/object_id', id: member(json, 'object_id') ?? '' }]);
    } else if (type === 'modify-objects' && followsList(action)) {
      this.#modifyNamed(action);
    } else if (type === 'modify-popup' && followsList(action)) {
      this.#modifyPopupsOfNamed(action);
    } else if (type === 'modify-objects') {
      const targets = listMember(json, 'object_ids').map((id, i) => ({ below: `/object_ids/${i}`, id }));
      this.#modifyObjects(action, targets);
    } else if (type === 'modify-popup') {
      this.#modifyPopup(action);
    } else if (isCreation(type)) {
      this.#create(action, type);
    } else {
      this.#context.problems.add(action, '/type', `there is no type ${quoted(type)} of actions; there are ${types.join(', ')}`);
    }
  }

  #modifyObjects(action: Found, targets: readonly { readonly below: string; readonly id: unknown }[]): void {
    this.#context.variables.use(undefined);
    const found = targets.flatMap(({ below, id }) => {
      const object = typeof id === 'string' ? this.#context.index.objects.get(id) : undefined;
      if (object === undefined) this.#context.problems.add(action, below, missing('object', id));
      return object ?? [];
    });
    const reader = new ActionReader(action, this.#context);
    const holds = conditionsOf(reader);
    const setStyles = stylesOf(reader);
    if (this.#begins(reader, 1 + found.length) && holds(0)) this.#setAll(found, setStyles);
    reader.report();
  }

  /** Sets the same styles of some objects. */
  #setAll(objects: readonly Found[], setStyles: SetStyles): void {
    const members = openRecord<unknown>();
    setStyles(members, 0);
    for (const { id, json } of objects) this.#objects.set(id, json, members);
  }

  /** Changes the objects that items of a list name, and the others. */
  #modifyNamed(action: Found): void {
    const list = this.#lists.listOf(action);
    if (list === undefined) return;
    const { matched, others } = list.run(stylesOf(list.reader));
    for (const { objects, members } of matched) for (const { id, json } of objects) this.#objects.set(id, json, members);
    list.reader.report();
    // The others have no item.
    const reader = new ActionReader(action, this.#context);
    const setStyles = otherStylesOf(reader);
    if (others.length > 0 && this.#begins(reader, others.length)) this.#setAll(others, setStyles);
    reader.report();
  }

  #modifyPopupsOfNamed(action: Found): void {
    const list = this.#lists.listOf(action);
    if (list === undefined) return;
    const { matched } = list.run(textSetter(list.reader));
    for (const each of matched) this.#popups.setOfObjects(list.reader, each);
    list.reader.report();
  }

  #modifyPopup(action: Found): void {
    this.#context.variables.use(undefined);
    const id = textMember(action.json, 'popup_id');
    const popup = this.#context.index.popups.get(id);
    if (popup === undefined) this.#context.problems.add(action, '/popup_id', missing('popup', id));
    const reader = new ActionReader(action, this.#context);
    const holds = conditionsOf(reader);
    const setTexts = textSetter(reader);
    if (this.#begins(reader, 1) && popup !== undefined && holds(0)) {
      const members = openRecord<unknown>();
      setTexts(members, 0);
      this.#popups.set(popup, members);
    }
    reader.report();
  }

  #create(action: Found, type: Creation): void {
    const id = textMember(action.json, 'create_object_target_artboard_id');
    const artboard = this.#context.index.artboards.get(id);
    if (artboard === undefined) {
      this.#context.problems.add(action, '/create_object_target_artboard_id', missing('artboard', id));
      return;
    }
    this.#context.variables.use(artboard);
    const isSpot = type === 'create-spot' || type === 'create-spots';
    const iterator = type === 'create-spot' || type === 'create-poly' ? 'once' : this.#iteratorOf(action, isSpot, type);
    if (iterator === undefined) return;
    const position = iterator === 'once' ? undefined : iterator;
    createObjects(new ActionReader(action, this.#context, position), artboard, isSpot, this.#created);
  }

  /** The iterator whose items the action creates objects for; `undefined` with a problem if there is none. */
  #iteratorOf(action: Found, isSpot: boolean, type: string): number | undefined {
    const variables = coordinateVariables(action, isSpot);
    const iterators = new Set<number>();
    for (const { id } of variables) {
      const position = this.#context.variables.position(id);
      const iterator = position === undefined ? undefined : this.#context.variables.iteratorOf(position);
      if (iterator !== undefined) iterators.add(iterator);
    }
    const [iterator] = iterators;
    const below = variables[0]?.below ?? '/create_spot_x_source_type';
    if (iterator === undefined) {
      const single = type.slice(0, -1);
      const detail = `"${type}" needs coordinates that depend on an iterator; "${single}" creates a single object`;
      this.#context.problems.add(action, below, detail);
      return undefined;
    }
    if (iterators.size > 1) {
      const names = [...iterators].map((each) => quoted(this.#context.variables.name(each))).join(' and ');
      this.#context.problems.add(action, below, `the coordinates depend on the iterators ${names}; only one is possible`);
      return undefined;
    }
    if (this.#context.variables.items(iterator) !== undefined) return iterator;
    this.#context.problems.add(action, below, `the iterator ${quoted(this.#context.variables.name(iterator))} has no value`);
    return undefined;
  }

  #begins(reader: ActionReader, steps: number): boolean {
    if (this.#context.run.take(steps)) return true;
    reader.problem('', this.#context.run.reason);
    return false;
  }
}

const followsList = ({ json }: Found): boolean => textMember(json, 'match_variable_id') !== '';

const missing = (noun: string, id: unknown): string =>
  id === '' ? `no ${noun} is chosen` : `the ${noun} ${shownJson(id)} is not in this project`;
