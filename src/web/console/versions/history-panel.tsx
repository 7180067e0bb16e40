/** The dialog of a project's versions: keep the present state, look at a former one, compare, restore, copy, rename, delete. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ProjectVersion } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { hashOf, type VersionRoute } from '../screen-route.ts';
import { Confirm } from '../ui/confirm.tsx';
import { nameLengthMax } from '../ui/name-field.tsx';
import { Panel } from '../ui/panel.tsx';
import { RestoreQuestion } from './restore-question.tsx';
import { VersionApi } from './version-api.ts';
import { VersionList } from './version-list.ts';
import { VersionRow } from './version-row.tsx';

export interface HistoryProps {
  readonly model: EditorModel;
  /** The version from which the user returns. */
  readonly returnedFrom: string | undefined;
  readonly onLook: (version: VersionRoute) => void;
  readonly onClose: () => void;
}

export function HistoryPanel(props: HistoryProps) {
  const { model, onClose } = props;
  const { canWrite } = model;
  const list = useMemo(() => new VersionList(new VersionApi(() => model.session.client, model.store.id)), [model]);
  useEffect(() => () => list.close(), [list]);
  const changes = model.versionChanges.value;
  useEffect(() => void list.load(), [list, changes]);
  const all = list.versions.value;
  const problem = list.problem.value;
  const t = texts.versions;
  return (
    <Panel title={t.title} onClose={onClose}>
      <p class="hint">{t.intro}</p>
      {canWrite && <KeepForm model={model} list={list} />}
      <p class={list.said.value === '' ? 'sr-only' : 'hint'} role="status">
        {list.said.value}
      </p>
      {problem !== '' && (
        <p class="row" role="alert">
          <span class="problem grow">{problem}</span>
          <button type="button" onClick={() => void list.load()}>
            {t.retry}
          </button>
        </p>
      )}
      {all === undefined && problem === '' && <p>{texts.loading}</p>}
      {all?.length === 0 && <p class="empty">{canWrite ? t.none : t.noneReadOnly}</p>}
      {all !== undefined && all.length > 0 && <Days {...props} list={list} all={all} />}
      {list.hasMore.value && (
        <button type="button" onClick={() => void list.more()}>
          {t.more}
        </button>
      )}
    </Panel>
  );
}

function KeepForm({ model, list }: { readonly model: EditorModel; readonly list: VersionList }) {
  const name = useSignal('');
  const isBusy = useSignal(false);
  const t = texts.versions;
  const keep = async () => {
    isBusy.value = true;
    // What is kept is what the user sees.
    await model.edits.idle();
    await list.keep(name.value.trim());
    isBusy.value = false;
    if (list.problem.value === '') name.value = '';
  };
  return (
    <form
      class="row keep-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy.value) void keep();
      }}
    >
      <input
        class="grow"
        type="text"
        aria-label={t.nameToKeep}
        placeholder={t.nameToKeep}
        maxLength={nameLengthMax}
        value={name.value}
        onInput={(event) => {
          name.value = event.currentTarget.value;
        }}
      />
      <button type="submit" class="primary" disabled={isBusy.value}>
        {t.keep}
      </button>
    </form>
  );
}

/** The versions under the days on which they were made. */
function Days(props: HistoryProps & { readonly list: VersionList; readonly all: readonly ProjectVersion[] }) {
  const { model, list, all, returnedFrom, onLook, onClose } = props;
  const restoring = useSignal<ProjectVersion | undefined>(undefined);
  const leaving = useSignal<ProjectVersion | undefined>(undefined);
  const copy = useSignal<{ readonly id: string; readonly name: string } | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const t = texts.versions;
  const counts = list.counts.value;
  const days = new Map<string, ProjectVersion[]>();
  for (const version of all) {
    const day = t.day(version.created);
    const versions = days.get(day);
    if (versions === undefined) days.set(day, [version]);
    else versions.push(version);
  }
  const makeCopy = async (version: ProjectVersion) => {
    copy.value = undefined;
    const project = String(model.store.shown(model.store.id)?.['name'] || texts.unnamed);
    const made = await list.copy(version, t.copyName(project, t.nameOf(version)));
    if (made !== undefined) copy.value = { id: made.id, name: made.name };
  };
  const changesOf = ({ id }: ProjectVersion): string => {
    const found = counts.get(id);
    if (found !== undefined) return t.sinceBefore(t.since(found));
    return !list.hasMore.value && all.at(-1)?.id === id ? t.first : '';
  };
  return (
    <div ref={box} class="version-days">
      {copy.value !== undefined && (
        <p class="notice row" role="status">
          <span class="grow">{t.copied(copy.value.name)}</span>
          <a class="button" href={hashOf({ screen: 'editor', project: copy.value.id })}>
            {t.openCopy}
          </a>
        </p>
      )}
      {[...days].map(([day, versions]) => (
        <section key={day}>
          <h3>{day}</h3>
          <ul class="version-list" aria-label={day}>
            {versions.map((version) => (
              <VersionRow
                key={version.id}
                version={version}
                changes={changesOf(version)}
                canWrite={model.canWrite}
                canCreate={model.session.projects === null}
                isReturnedTo={version.id === returnedFrom}
                onSeen={() => list.count(version)}
                onLook={(isCompared) => onLook({ id: version.id, isCompared })}
                onRestore={() => {
                  restoring.value = version;
                }}
                onRename={(name) => void list.rename(version, name)}
                onCopy={() => void makeCopy(version)}
                onRemove={() => {
                  leaving.value = version;
                }}
              />
            ))}
          </ul>
        </section>
      ))}
      {restoring.value !== undefined && (
        <RestoreQuestion
          model={model}
          version={restoring.value}
          onEnd={(isRestored) => {
            restoring.value = undefined;
            if (isRestored) onClose();
          }}
        />
      )}
      {leaving.value !== undefined && (
        <Confirm
          title={t.removeTitle(t.nameOf(leaving.value))}
          text={t.removeText}
          action={t.remove}
          onDecide={(yes) => {
            const version = leaving.value;
            leaving.value = undefined;
            if (!yes || version === undefined) return;
            // Its button goes with it.
            box.current?.closest('dialog')?.querySelector<HTMLElement>('.keep-form input')?.focus();
            void list.remove(version);
          }}
        />
      )}
    </div>
  );
}
