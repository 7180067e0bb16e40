/** The right side of the editor: the form of the selection, and what can be done with it. */
import { useLayoutEffect } from 'preact/hooks';
import { addPopup, removeSelection, reorder } from '../commands/object-commands.ts';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import type { MemberKind } from '../kinds/resource-kinds.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icons.tsx';
import { LinkList } from '../ui/lists/link-list.tsx';
import { LazyPanel } from './lazy-panel.tsx';
import { ResourceForm } from './resource-form.tsx';

export function Inspector({ model }: { readonly model: EditorModel }) {
  const { canWrite, store } = model.document;
  const target = model.selection.resource.value;
  const locked = model.selection.locked.value;
  const t = texts.editor;
  // Another form begins at its top. A field that gets the focus scrolls to itself after that.
  const [first, ...others] = model.selection.ids.value;
  useLayoutEffect(() => document.querySelector('.right')?.scrollTo(0, 0), [first, others.length]);
  if (locked !== undefined) return <LazyPanel name="LiveInspector" key={locked} model={model} id={locked} />;
  if (target === undefined) {
    return (
      <div class="inspector">
        <h2>{t.severalSelected(model.selection.ids.value.length)}</h2>
        {canWrite && (
          <>
            <p class="hint">{t.severalHint}</p>
            <LazyPanel name="SeveralInspector" model={model} />
            <Actions model={model} name={t.severalSelected(model.selection.ids.value.length)} />
          </>
        )}
      </div>
    );
  }
  const { kind, id, artboardId } = target;
  store.revision(kind === 'project' ? 'project' : { kind, artboardId }).value;
  const name = String(store.shown(id)?.['name'] || texts.unnamed);
  return (
    <div class="inspector">
      <WayBack model={model} />
      <p class="kind">{texts.kinds[kind].one}</p>
      <h2>{name}</h2>
      {kind === 'project' && !model.document.isPast && (
        <p class="hint">{canWrite ? t.nothingSelected : t.nothingSelectedReadOnly}</p>
      )}
      {kind === 'popup' && <LazyPanel name="PopupPanel" key={id} model={model} id={id} />}
      {kind === 'popup' && <LazyPanel name="HiddenPopup" model={model} objectId={String(store.shown(id)?.['attachedTo'])} />}
      {kind === 'variable' && !model.document.isPast && <LazyPanel name="VariableValue" model={model} id={id} />}
      <ResourceForm key={id} model={model} target={target}>
        {kind === 'object' && <Popups model={model} objectId={id} />}
      </ResourceForm>
      {kind === 'object' && model.document.isEditable(id) && (
        <div class="resource-form">
          <LazyPanel name="ArrangePanel" model={model} />
        </div>
      )}
      {kind === 'data_source' && !model.document.isPast && <LazyPanel name="SourceResponse" key={id} model={model} id={id} />}
      {kind !== 'project' && model.document.isEditable(id) && <Actions model={model} name={name} kind={kind} />}
    </div>
  );
}

/** Back to the objects that were edited before. */
function WayBack({ model }: { readonly model: EditorModel }) {
  const { store } = model.document;
  const ids = model.selection.left.value.filter((id) => store.has(id));
  const [first] = ids;
  if (first === undefined) return null;
  const name = ids.length === 1 ? String(store.shown(first)?.['name'] || texts.unnamed) : texts.countOf('object', ids.length);
  return (
    <p>
      <Button
        icon="back"
        class="quiet"
        label={name}
        title={texts.editor.backTo(name)}
        onClick={() => model.selection.select(ids)}
      />
    </p>
  );
}

/** The popups of an object: the first thing that most people add. */
function Popups({ model, objectId }: { readonly model: EditorModel; readonly objectId: string }) {
  model.document.store.revision({ kind: 'popup' }).value;
  const popups = model.document.popupsOf([objectId]);
  const t = texts.editor;
  return (
    <div class="object-popups">
      <LinkList
        label={t.popups}
        links={popups.map(({ id, name, title }) => ({ id, name: String(title || name || texts.unnamed) }))}
        onChoose={(id) => model.selection.select([id])}
      />
      {popups.length > 0 && <LazyPanel name="HiddenPopup" model={model} objectId={objectId} />}
      {model.document.canWrite && <Button icon="plus" label={t.addPopup} onClick={() => void addPopup(model, objectId)} />}
    </div>
  );
}

function Actions({ model, name, kind }: { readonly model: EditorModel; readonly name: string; readonly kind?: MemberKind }) {
  const t = texts.editor;
  return (
    <div class="row actions">
      {kind === 'object' && (
        <>
          <IconButton icon="lower" label={t.lower} onClick={() => void reorder(model, 'back')} />
          <IconButton icon="raise" label={t.raise} onClick={() => void reorder(model, 'front')} />
        </>
      )}
      {kind === 'artboard' && (
        <>
          <IconButton icon="raise" label={t.moveUp} onClick={() => void reorder(model, 'back')} />
          <IconButton icon="lower" label={t.moveDown} onClick={() => void reorder(model, 'front')} />
        </>
      )}
      <Button icon="copy" label={t.duplicate} onClick={() => void model.duplicateAndName()} />
      <Button
        icon="trash"
        label={texts.remove}
        class="danger-text"
        aria-label={t.remove(name)}
        onClick={() => void removeSelection(model)}
      />
    </div>
  );
}
