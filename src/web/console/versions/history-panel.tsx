/** The dialog of a project's versions: keep the present state, look at a former one, compare, restore, copy, rename, delete. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ProjectVersion } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { controlsOf } from '../controls.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { lateTexts } from '../late-texts.ts';
import { hashOf, type VersionRoute } from '../screen-route.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { nameLengthMax } from '../ui/name-field.tsx';
import { Panel } from '../ui/panel.tsx';
import { RestoreQuestion } from './restore-question.tsx';
import { VersionApi } from './version-api.ts';
import { VersionList } from './version-list.ts';
import { VersionRow } from './version-row.tsx';

export interface HistoryProps {
  readonly document: ProjectDocument;
  /** The version from which the user returns. */
  readonly returnedFrom: string | undefined;
  readonly onLook: (version: VersionRoute) => void;
  readonly onClose: () => void;
}

export function HistoryPanel(props: HistoryProps) {
  const { document, onClose } = props;
  const { canWrite } = document;
  const list = useMemo(
    () => new VersionList(new VersionApi(() => document.connection.session.client, document.store.id)),
    [document],
  );
  useEffect(() => () => list.close(), [list]);
  const changes = document.connection.versionChanges.value;
  useEffect(() => void list.load(), [list, changes]);
  const all = list.versions.value;
  const problem = list.problem.value;
  const t = lateTexts.versions;
  return (
    <Panel title={t.title} onClose={onClose}>
      <p class="hint">{canWrite ? t.intro : t.introReadOnly}</p>
      {canWrite && <KeepForm document={document} list={list} />}
      <p class={list.said.value === '' ? 'sr-only' : 'hint'} role="status">
        {list.said.value}
      </p>
      {problem !== '' && (
        <p class="row" role="alert">
          <span class="problem grow">{problem}</span>
          <Button label={t.retry} onClick={() => void list.load()} />
        </p>
      )}
      {all === undefined && problem === '' && <p>{texts.loading}</p>}
      {all?.length === 0 && <p class="empty">{canWrite ? t.none : t.noneReadOnly}</p>}
      {all !== undefined && all.length > 0 && <Days {...props} list={list} all={all} />}
      {list.hasMore.value && <Button label={texts.more} onClick={() => void list.more()} />}
    </Panel>
  );
}

function KeepForm({ document, list }: { readonly document: ProjectDocument; readonly list: VersionList }) {
  const name = useSignal('');
  const isBusy = useSignal(false);
  const t = lateTexts.versions;
  const keep = async () => {
    isBusy.value = true;
    // What is kept is what the user sees.
    await document.edits.idle();
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
      <Button label={t.keep} type="submit" class="primary" disabled={isBusy.value} />
    </form>
  );
}

/** What a user is asked before it is done with a version. */
interface Question {
  readonly about: 'restore' | 'remove';
  readonly version: ProjectVersion;
}

function byDay(all: readonly ProjectVersion[]): ReadonlyMap<string, readonly ProjectVersion[]> {
  const days = new Map<string, ProjectVersion[]>();
  for (const version of all) {
    const day = lateTexts.versions.day(version.created);
    const versions = days.get(day);
    if (versions === undefined) days.set(day, [version]);
    else versions.push(version);
  }
  return days;
}

/** What changed since the version before, in words; '' if it is not known. */
function changesOf({ id }: ProjectVersion, list: VersionList): string {
  const t = lateTexts.versions;
  const found = list.counts.value.get(id);
  if (found !== undefined) return t.sinceBefore(t.since(found));
  return !list.hasMore.value && list.versions.value?.at(-1)?.id === id ? t.first : '';
}

/** The versions under the days on which they were made. */
function Days(props: HistoryProps & { readonly list: VersionList; readonly all: readonly ProjectVersion[] }) {
  const { document, list, all, returnedFrom, onLook, onClose } = props;
  const asked = useSignal<Question | undefined>(undefined);
  const copy = useSignal<Copy | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const ask = (about: Question['about'], version: ProjectVersion) => {
    asked.value = { about, version };
  };
  const makeCopy = async (version: ProjectVersion) => {
    copy.value = undefined;
    const project = String(document.store.shown(document.store.id)?.['name'] || texts.unnamed);
    const made = await list.copy(version, lateTexts.versions.copyName(project, lateTexts.versions.nameOf(version)));
    if (made !== undefined) copy.value = { id: made.id, name: made.name };
  };
  const remove = (version: ProjectVersion) => {
    // Its button goes with it.
    box.current?.closest('dialog')?.querySelector<HTMLElement>('.keep-form input')?.focus();
    void list.remove(version);
  };
  return (
    <div ref={box} class="version-days">
      {copy.value !== undefined && <CopyNotice copy={copy.value} />}
      {[...byDay(all)].map(([day, versions]) => (
        <section key={day}>
          <h3>{day}</h3>
          <ul class="version-list" aria-label={day}>
            {versions.map((version) => (
              <VersionRow
                key={version.id}
                version={version}
                changes={changesOf(version, list)}
                canWrite={document.canWrite}
                canCreate={controlsOf(document.connection.session).canCreate}
                isReturnedTo={version.id === returnedFrom}
                onSeen={() => list.count(version)}
                onLook={(isCompared) => onLook({ id: version.id, isCompared })}
                onRestore={() => ask('restore', version)}
                onRename={(name) => void list.rename(version, name)}
                onCopy={() => void makeCopy(version)}
                onRemove={() => ask('remove', version)}
              />
            ))}
          </ul>
        </section>
      ))}
      {asked.value !== undefined && (
        <AskAbout
          document={document}
          question={asked.value}
          onEnd={() => {
            asked.value = undefined;
          }}
          onRestored={onClose}
          onRemove={remove}
        />
      )}
    </div>
  );
}

/** The project that was copied from a version. */
interface Copy {
  readonly id: string;
  readonly name: string;
}

function CopyNotice({ copy: { id, name } }: { readonly copy: Copy }) {
  const t = lateTexts.versions;
  return (
    <p class="notice row" role="status">
      <span class="grow">{t.copied(name)}</span>
      <a class="button" href={hashOf({ screen: 'editor', project: id })}>
        {t.openCopy}
      </a>
    </p>
  );
}

function AskAbout(props: {
  readonly document: ProjectDocument;
  readonly question: Question;
  /** The user has decided. */
  readonly onEnd: () => void;
  readonly onRestored: () => void;
  readonly onRemove: (version: ProjectVersion) => void;
}) {
  const { about, version } = props.question;
  const t = lateTexts.versions;
  return about === 'restore' ? (
    <RestoreQuestion
      document={props.document}
      version={version}
      onEnd={(isRestored) => {
        props.onEnd();
        if (isRestored) props.onRestored();
      }}
    />
  ) : (
    <Confirm
      title={t.removeTitle(t.nameOf(version))}
      text={t.removeText}
      action={texts.remove}
      onDecide={(yes) => {
        props.onEnd();
        if (yes) props.onRemove(version);
      }}
    />
  );
}
