/** What an action has changed or created, while Live is on: its members as they are now, and the way to the action. */
import { sameJson } from '../../../../lib/change/same-json.ts';
import { texts } from '../../console-texts.ts';
import type { EditorModel } from '../../editor/editor-model.ts';
import { choiceOf, labelOf } from '../../forms/controls/field-texts.ts';
import { isShown } from '../../forms/form-sections.tsx';
import { fieldOf, fieldsOf, type Kind, type Members } from '../../kinds/resource-kinds.ts';
import { Button } from '../../ui/button.tsx';
import { LinkList } from '../../ui/lists/link-list.tsx';
import { isColour } from '../shown-value.ts';

export function LiveInspector({ model, id }: { readonly model: EditorModel; readonly id: string }) {
  const { store, liveView } = model.document;
  const created = liveView.createdAt(id);
  const kind = created?.kind ?? store.refOf(id)?.kind ?? 'object';
  store.revision({ kind: 'action' }).value;
  if (kind === 'object') store.revision(model.selection.objects).value;
  const value = liveView.shown(id) ?? { id };
  const changed = liveView.changedAt(id) ?? {};
  const stored = store.shown(id);
  const t = texts.liveMap;
  return (
    <div class="inspector">
      <p class="kind">
        {texts.kinds[kind].one} <span class="badge">{created === undefined ? t.changed : t.created}</span>
      </p>
      <h2>{liveView.nameOf(id)}</h2>
      <p class="hint">{created === undefined ? t.changedHint : t.createdHint}</p>
      <Actions model={model} id={id} />
      {created === undefined && stored !== undefined ? (
        <MemberList
          rows={Object.keys(changed).map((name) => ({
            name: labelOf(kind, name),
            value: shownMember(kind, name, changed[name]),
            note: sameJson(stored[name], changed[name]) ? '' : t.stored(shownMember(kind, name, stored[name])),
          }))}
        />
      ) : (
        <MemberList rows={rowsOf(kind, value)} />
      )}
      <Related model={model} id={id} />
      <p>
        <Button
          label={created === undefined ? t.turnOffToEdit : t.turnOff}
          onClick={() => {
            liveView.isOn.value = false;
          }}
        />
      </p>
    </div>
  );
}

/** The members of a created resource that matter and are not empty. */
export function rowsOf(kind: Kind, value: Members): MemberRow[] {
  return fieldsOf(kind)
    .filter((field) => isShown(field, value) && value[field.name] !== undefined && value[field.name] !== '')
    .map(({ name, label }) => ({ name: label, value: shownMember(kind, name, value[name]) }));
}

interface MemberRow {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
}

function Actions({ model, id }: { readonly model: EditorModel; readonly id: string }) {
  const actions = model.document.liveView.actionsOf(id);
  if (actions.length === 0) return null;
  return (
    <div>
      <LinkList
        label={texts.liveMap.byActions(actions.length)}
        links={actions.map((action) => ({ id: action.id, name: String(action['name'] || texts.unnamed) }))}
        onChoose={(each) => model.selection.select([each])}
      />
    </div>
  );
}

/** The popups of an object, and the object of a popup. */
function Related({ model, id }: { readonly model: EditorModel; readonly id: string }) {
  const { store, liveView } = model.document;
  store.revision({ kind: 'popup' }).value;
  const isPopup = (liveView.createdAt(id)?.kind ?? store.refOf(id)?.kind) === 'popup';
  const object = String(liveView.shown(id)?.['attachedTo'] ?? '');
  const popups = [...store.ids({ kind: 'popup' }), ...liveView.createdIds('popup', '')];
  const related = isPopup
    ? [object].filter((each) => liveView.shown(each) !== undefined)
    : popups.filter((popup) => liveView.shown(popup)?.['attachedTo'] === id);
  if (related.length === 0) return null;
  return (
    <div>
      <LinkList
        label={isPopup ? labelOf('popup', 'attachedTo') : texts.editor.popups}
        links={related.map((each) => ({ id: each, name: liveView.nameOf(each) }))}
        onChoose={(each) => model.selection.select([each], { reveal: true })}
      />
    </div>
  );
}

/** A value of a member as its form calls it. */
export function shownMember(kind: Kind, name: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? texts.liveMap.yes : texts.liveMap.no;
  if (Array.isArray(value)) return texts.liveMap.corners(value.length);
  if (typeof value !== 'string') return JSON.stringify(value);
  return fieldOf(kind, name)?.kind === 'choice' ? choiceOf(kind, name, value) : value;
}

export function MemberList({ rows }: { readonly rows: readonly MemberRow[] }) {
  return (
    <dl class="members">
      {rows.map(({ name, value, note = '' }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Swatch value={value} /> {value}
            {note !== '' && <span class="hint"> {note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A colour, shown before its text; nothing for another value. */
export const Swatch = ({ value }: { readonly value: string }) =>
  isColour(value) ? (
    <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6" fill={value} />
    </svg>
  ) : null;
