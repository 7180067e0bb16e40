/** Decisions about what the user and another user have changed: the value before, the user's, and the other one. */

import { useEffect } from 'preact/hooks';
import type { MemberConflict } from '../../../lib/change/rebase.ts';
import { texts } from '../console-texts.ts';
import type { Conflict } from '../document/conflicts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { labelOf } from '../forms/controls/field-texts.ts';
import { lateTexts } from '../late-texts.ts';
import { Panel } from '../ui/panel.tsx';

/** Characters of a value at most. */
const valueMax = 400;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1);
  return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text;
}

export function ConflictPanel({ model, onClose }: { readonly model: EditorModel; readonly onClose: () => void }) {
  const conflicts = model.document.edits.conflicts.value;
  const t = lateTexts.conflicts;
  const isDecided = conflicts.length === 0;
  useEffect(() => {
    if (isDecided) onClose();
  }, [isDecided]);
  return (
    <Panel title={t.title} onClose={onClose}>
      <p>{t.intro}</p>
      {conflicts.map((conflict) =>
        conflict.is === 'changed' ? (
          <ChangedConflict key={conflict.ref.id} model={model} conflict={conflict} />
        ) : (
          <DeletedConflict key={conflict.ref.id} model={model} conflict={conflict} />
        ),
      )}
    </Panel>
  );
}

function ChangedConflict({
  model,
  conflict,
}: {
  readonly model: EditorModel;
  readonly conflict: Extract<Conflict, { is: 'changed' }>;
}) {
  const { ref, members } = conflict;
  const name = String(model.document.store.shown(ref.id)?.['name'] || texts.unnamed);
  return (
    <section class="conflict-box" aria-label={name}>
      <h3>
        <span class="kind">{texts.kinds[ref.kind].one}</span> {name}
      </h3>
      {members.map((member) => (
        <Choice key={member.member} model={model} conflict={conflict} member={member} />
      ))}
    </section>
  );
}

function Choice(props: {
  readonly model: EditorModel;
  readonly conflict: Extract<Conflict, { is: 'changed' }>;
  readonly member: MemberConflict;
}) {
  const { model, conflict, member } = props;
  const t = lateTexts.conflicts;
  const label = labelOf(conflict.ref.kind, member.member);
  // Another user may have changed it again since.
  const theirs = model.document.store.stored(conflict.ref.id)?.[member.member] ?? member.theirs;
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="versions">
        <div>
          <h4>{t.base}</h4>
          <pre>{shown(member.base)}</pre>
        </div>
        <div>
          <h4>{t.mine}</h4>
          <pre>{shown(member.mine)}</pre>
          <button type="button" onClick={() => model.document.edits.decisions.keepMine({ ...conflict, members: [member] })}>
            {t.keepMine}
          </button>
        </div>
        <div>
          <h4>{t.theirs}</h4>
          <pre>{shown(theirs)}</pre>
          <button type="button" onClick={() => model.document.edits.decisions.takeTheirs({ ...conflict, members: [member] })}>
            {t.takeTheirs}
          </button>
        </div>
      </div>
    </fieldset>
  );
}

function DeletedConflict({
  model,
  conflict,
}: {
  readonly model: EditorModel;
  readonly conflict: Extract<Conflict, { is: 'deleted' }>;
}) {
  const t = lateTexts.conflicts;
  return (
    <section class="conflict-box">
      <h3>{t.deleted(String(conflict.mine['name'] || texts.unnamed))}</h3>
      <div class="row">
        <button
          type="button"
          class="primary"
          onClick={() => {
            void model.document.edits.decisions.createAgain(conflict).then((ref) => {
              if (ref !== undefined) model.selection.select([ref.id], { reveal: true });
            });
          }}
        >
          {t.createAgain}
        </button>
        <button type="button" onClick={() => model.document.edits.decisions.discardDeleted(conflict)}>
          {texts.saving.discard}
        </button>
      </div>
    </section>
  );
}
