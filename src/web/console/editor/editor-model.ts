/** An editor: a project, what is selected, what the user does with it, and commands that need all of these. */
import { type CollectionRef, collectionKey, type MemberKind, type Members, type ResourceRef } from '../kinds/resource-kinds.ts';
import type { ConsoleSession } from '../server/console-session.ts';
import { Copies } from './copies.ts';
import { EditorSelection } from './editor-selection.ts';
import { ProjectDocument } from './project-document.ts';
import { Workspace } from './workspace.ts';

export class EditorModel {
  /** Whether another screen is shown. It still saves what is not saved. */
  isLeft = false;
  readonly document: ProjectDocument;
  readonly workspace = new Workspace();
  readonly selection: EditorSelection;
  readonly copies = new Copies(this);

  constructor(session: ConsoleSession, projectId: string, isPast = false) {
    this.document = new ProjectDocument(session, projectId, isPast);
    this.selection = new EditorSelection(this.document, this.workspace);
  }

  /** Ends everything that the editor does in the background. */
  close(): void {
    this.document.close();
    this.selection.close();
  }

  /** Creates a resource and selects it. @param field the field of its form that gets the focus */
  async add(kind: MemberKind, value: Members = {}, field = 'name'): Promise<ResourceRef | undefined> {
    const at: CollectionRef = kind === 'object' ? this.selection.objects : { kind };
    if (kind === 'object' && this.selection.artboardId.value === '') return undefined;
    const edit = this.document.edits.begin();
    edit.create(collectionKey(at), { ...(kind === 'object' ? { type: 'spot', name: '' } : {}), ...value });
    const [created] = await this.document.edits.run(edit);
    if (created !== undefined) this.selection.select([created.id], { field });
    return created;
  }

  /** Duplicates the selection, and goes to the name of the copy. */
  async duplicateAndName(): Promise<void> {
    const before = this.selection.ids.value;
    await this.copies.duplicate();
    if (this.selection.ids.value !== before) this.workspace.toField(this.selection.ids.value.length > 1 ? 'names' : 'name');
  }

  async undo(): Promise<void> {
    this.workspace.map?.endNudge();
    this.#show(await this.document.edits.undo());
  }

  async redo(): Promise<void> {
    this.workspace.map?.endNudge();
    this.#show(await this.document.edits.redo());
  }

  #show(ref: ResourceRef | undefined): void {
    if (ref === undefined || ref.kind === 'project' || !this.document.store.has(ref.id)) return;
    const isSelected = this.selection.ids.value.includes(ref.id);
    this.selection.select([isSelected ? ref.id : this.#sourceOfList(ref.id)], { reveal: true });
  }

  /** The data source whose form has the list that an action follows, or that a variable belongs to; else the resource itself. */
  #sourceOfList(id: string): string {
    const { store } = this.document;
    const shown = (each: unknown): Members => store.shown(String(each)) ?? {};
    const list = store.members({ kind: 'action' }).find((each) => each['match_variable_id'] && JSON.stringify(each).includes(id));
    const iterator = shown(list?.['match_variable_id'])['iterator_id'];
    const sourceId = String(shown(iterator)['data_source_id']);
    return store.has(sourceId) ? sourceId : id;
  }
}
