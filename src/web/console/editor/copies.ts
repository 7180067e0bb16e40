/**
 * Copies of objects with their popups, and of artboards. What is copied is text in the clipboard of the system, so that it can be pasted in
 * other projects and tabs.
 */

import type { DiffBuilder } from '../../../lib/change/diff-builder.ts';
import { texts } from '../console-texts.ts';
import type { Notices } from '../document/notices.ts';
import type { ProjectEdits } from '../document/project-edits.ts';
import type { ProjectStore } from '../document/project-store.ts';
import {
  collectionKey,
  collectionOf,
  type MemberKind,
  type Members,
  type Resource,
  type ResourceRef,
  referencesOf,
} from '../kinds/resource-kinds.ts';
import { linksToCopies } from '../kinds/text-links.ts';
import { boxOf, centreOf, movedBy, type Point, roundedShape, shapeOf } from '../shapes/shape.ts';
import { type Copied, copiedIn, knownMembers } from './copied-objects.ts';

/** What copies need of the editor. */
interface CopySource {
  readonly document: {
    readonly store: ProjectStore;
    readonly edits: Pick<ProjectEdits, 'begin' | 'run' | 'idle' | 'newId'> & { readonly notices: Pick<Notices, 'say'> };
    popupsOf(objectIds: readonly string[]): readonly Resource[];
  };
  readonly selection: {
    readonly artboardId: { readonly value: string };
    readonly ids: { readonly value: readonly string[] };
    readonly selectedObjects: readonly ResourceRef[];
    select(ids: readonly string[]): void;
  };
  readonly workspace: { readonly map: { endNudge(): void } | undefined };
}

/** Distance of a copy from its original on the same artboard, in pixels. */
const copyOffset = 20;

/** A resource moved by some pixels of its artboard. */
function moved(value: Members, by: Point): Members {
  const shape = shapeOf(value);
  return shape === undefined ? value : { ...value, ...roundedShape(movedBy(shape, by)) };
}

export class Copies {
  readonly #model: CopySource;
  /** What was copied, or pasted, last, for a page that may not read the clipboard. */
  #text = '';
  /** The duplication that runs. */
  #running: Promise<void> = Promise.resolve();
  /** The last duplicates and their originals, by their identifiers. */
  #duplicated: { readonly from: readonly string[]; readonly to: readonly string[] } = { from: [], to: [] };
  /** How often that was pasted on the artboard where it is from: each copy is a bit further. */
  #times = 0;

  constructor(model: CopySource) {
    this.#model = model;
  }

  /** The selected objects as text; `undefined` if no object is selected. */
  copy(): string | undefined {
    const model = this.#model;
    const objects = model.selection.selectedObjects.map(({ id }) => model.document.store.shown(id) as Resource);
    if (objects.length === 0) return undefined;
    const popups = model.document.popupsOf(objects.map(({ id }) => id));
    this.#text = JSON.stringify({
      mapwright: 'objects',
      artboardId: model.selection.artboardId.value,
      objects,
      popups,
    } satisfies Copied);
    this.#times = 0;
    model.document.edits.notices.say(texts.editor.copied(objects.length));
    return this.#text;
  }

  /** Pastes what was copied on this page. */
  pasteAgain(): Promise<void> {
    return this.paste(this.#text);
  }

  /** Pastes objects with their popups: at their places, or next to their originals on the same artboard. */
  async paste(text: string): Promise<void> {
    const model = this.#model;
    const copied = copiedIn(text);
    const artboardId = model.selection.artboardId.value;
    if (copied === 'damaged') {
      model.document.edits.notices.say(texts.copies.damaged, true);
      return;
    }
    if (copied === undefined || copied.objects.length === 0) {
      model.document.edits.notices.say(texts.copies.nothing);
      return;
    }
    if (artboardId === '') return;
    if (text !== this.#text) [this.#text, this.#times] = [text, 0];
    if (artboardId === copied.artboardId) this.#times++;
    const by = artboardId === copied.artboardId ? copyOffset * this.#times : 0;
    let lost = 0;
    const objects = copied.objects.map(({ id, ...value }): Resource => {
      const { click_action_artboard_id: shown = '', ...known } = knownMembers('object', value);
      // Another project has other artboards.
      const isHere = model.document.store.has(shown as string);
      if (!isHere && shown !== '' && known['click_action'] === 'change-artboard') lost++;
      return { id, ...moved(known, { x: by, y: by }), key: '', click_action_artboard_id: isHere ? shown : '' };
    });
    const popups = copied.popups.map((popup): Resource => ({ id: popup.id, ...knownMembers('popup', popup) }));
    const edit = model.document.edits.begin();
    this.#addObjects(edit, artboardId, objects, popups);
    const created = await this.#create(edit, 'object');
    if (lost > 0 && created.length > 0) model.document.edits.notices.say(texts.copies.lost(lost));
  }

  /** Copies the selection: objects with their popups, an artboard with everything on it, or another resource. One after the other. */
  duplicate(): Promise<void> {
    const next = async (): Promise<void> => {
      // A move by keys comes first: the copy is of what is shown.
      this.#model.workspace.map?.endNudge();
      await this.#model.document.edits.idle();
      await this.#duplicate();
    };
    this.#running = this.#running.then(next, next);
    return this.#running;
  }

  async #duplicate(): Promise<void> {
    const model = this.#model;
    const refs = model.selection.ids.value
      .flatMap((id) => model.document.store.refOf(id) ?? [])
      .filter(({ kind }) => kind !== 'project');
    const [first] = refs;
    if (first === undefined) return;
    if (first.kind === 'artboard') return this.#duplicateArtboard(first.id);
    const values = refs.map(({ id }) => model.document.store.shown(id) as Resource);
    const edit = model.document.edits.begin();
    if (first.kind === 'object') {
      const from = values.map(({ id }) => id);
      const by = this.#distance(from);
      const objects = values.map((value): Resource => ({ ...moved(value, by), key: '', id: value.id }));
      this.#addObjects(edit, model.selection.artboardId.value, objects, model.document.popupsOf(from));
      this.#duplicated = { from, to: await this.#create(edit, 'object') };
      return;
    }
    for (const { id: _, ...value } of values) edit.create(collectionOf[first.kind as MemberKind], value);
    await this.#create(edit, first.kind);
  }

  /** How far duplicates are from their originals: as far as the last ones were moved, if these are duplicated again. */
  #distance(ids: readonly string[]): Point {
    const { from, to } = this.#duplicated;
    const placeOf = (id: string | undefined): Point | undefined => {
      const shape = shapeOf(this.#model.document.store.shown(id ?? '') ?? { type: 'poly', coords: [] });
      return shape === undefined ? undefined : centreOf(boxOf(shape));
    };
    const [a, b] = [placeOf(from[0]), placeOf(to[0])];
    const isAgain = ids.join() === to.join() && a !== undefined && b !== undefined && (a.x !== b.x || a.y !== b.y);
    return isAgain ? { x: b.x - a.x, y: b.y - a.y } : { x: copyOffset, y: copyOffset };
  }

  /** An artboard with its objects, their popups, and links to it that are on it. */
  async #duplicateArtboard(id: string): Promise<void> {
    const { store } = this.#model.document;
    const { id: _, ...value } = store.shown(id) as Resource;
    const objects = store.members({ kind: 'object', artboardId: id });
    const name = texts.copies.nameOf(String(value['name'] || texts.unnamed));
    const edit = this.#model.document.edits.begin();
    const copyId = edit.create('artboards', { ...value, name }, { place: store.ids({ kind: 'artboard' }).indexOf(id) + 1 });
    const popups = this.#model.document.popupsOf(objects.map((object) => object.id));
    this.#addObjects(edit, copyId, objects, popups, new Map([[id, copyId]]));
    await this.#create(edit, 'artboard');
  }

  /** The identifiers of what was created of a kind, which is selected. */
  async #create(edit: DiffBuilder, kind: ResourceRef['kind']): Promise<readonly string[]> {
    const created = await this.#model.document.edits.run(edit);
    const ids = created.filter((ref) => ref.kind === kind).map(({ id }) => id);
    if (ids.length > 0) this.#model.selection.select(ids);
    return ids;
  }

  /** Adds copies of objects, and copies of their popups. They refer, and lead, to copies. @param copies further ones, by the originals */
  #addObjects(
    edit: DiffBuilder,
    artboardId: string,
    objects: readonly Resource[],
    popups: readonly Resource[],
    copies = new Map<string, string>(),
  ): void {
    for (const { id } of objects) copies.set(id, this.#model.document.edits.newId());
    const at = collectionKey({ kind: 'object', artboardId });
    for (const object of objects) edit.create(at, copyOf('object', object, copies), { id: copies.get(object.id) as string });
    for (const popup of popups) edit.create('popups', copyOf('popup', popup, copies));
  }
}

/** A copy of a resource: what it refers to, and leads to, is the copy where there is one. */
function copyOf(kind: MemberKind, { id: _, ...value }: Resource, copies: ReadonlyMap<string, string>): Members {
  const copy: Record<string, unknown> = { ...value, ...linksToCopies(kind, value, copies) };
  for (const { member } of referencesOf(kind)) {
    const held = copy[member];
    if (Array.isArray(held)) copy[member] = held.map((each) => copies.get(each) ?? each);
    else if (typeof held === 'string') copy[member] = copies.get(held) ?? held;
  }
  return copy;
}
