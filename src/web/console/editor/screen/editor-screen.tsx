/** The editor of one project: lists, map, form, and above them what is saved. */
import { type ReadonlySignal, useComputed } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { texts } from '../../console-texts.ts';
import { controlsOf } from '../../controls.ts';
import { UploadLines } from '../../files/upload-lines.tsx';
import { ImportPane } from '../../import/import-pane.tsx';
import { MapPane } from '../../map/map-pane.tsx';
import { Inspector } from '../../panels/inspector.tsx';
import { LazyPanel } from '../../panels/lazy-panel.tsx';
import { Outline } from '../../panels/outline.tsx';
import { PaneTabs } from '../../panels/pane-tabs.tsx';
import { type Go, hashOf, type PanelName, type Route, type VersionRoute } from '../../screen-route.ts';
import type { ConsoleSession } from '../../server/console-session.ts';
import { Icon, Logo } from '../../ui/icons.tsx';
import { HistoryPane, VersionPane } from '../../versions/versions-pane.tsx';
import type { EditorModel } from '../editor-model.ts';
import type { ProjectDocument } from '../project-document.ts';
import { EditorBar } from './editor-bar.tsx';
import { useEditor } from './use-editor.ts';

interface Props {
  readonly session: ConsoleSession;
  readonly route: Extract<Route, { screen: 'editor' }>;
  readonly go: Go;
}

export function EditorScreen({ session, route, go }: Props) {
  const model = useEditor(session, route, go);
  const { project, panel, version } = route;
  /** The version that was shown last: the history begins at it. */
  const lastVersion = useRef<string | undefined>(undefined);
  lastVersion.current = version?.id ?? lastVersion.current;
  const name = useTitle(model.document);
  const here = useCallback(
    (to?: PanelName) => go({ screen: 'editor', project, ...(to === undefined ? {} : { panel: to }) }),
    [project],
  );
  const toHistory = useCallback(() => here('history'), [here]);
  const look = (shown: VersionRoute, options?: { readonly replace: boolean }) =>
    go({ screen: 'editor', project, version: shown }, options);
  const state = model.document.connection.state.value;
  if (state === 'loading') return <p class="starting">{model.document.edits.notices.current.value?.text ?? texts.loading}</p>;
  if (state === 'missing' || state === 'gone') return <NoProject isGone={state === 'gone'} />;
  if (version !== undefined)
    return (
      <VersionPane
        key={version.id}
        model={model}
        route={version}
        onRoute={(shown) => look(shown, { replace: true })}
        onBack={toHistory}
        onEditor={() => here()}
      />
    );
  const history = panel === 'history' && (
    <HistoryPane
      document={model.document}
      returnedFrom={lastVersion.current}
      onLook={look}
      onClose={() => {
        lastVersion.current = undefined;
        here();
      }}
    />
  );
  const { canPublish, showsMapFirst } = controlsOf(session);
  if (showsMapFirst && !model.workspace.isInside.value)
    return (
      <>
        <LazyPanel name="ViewerScreen" model={model} session={session} title={name.value} onHistory={toHistory} />
        {history}
      </>
    );
  return (
    <div class={`editor pane-${model.workspace.pane.value}`}>
      <EditorBar model={model} session={session} name={name.value} onPanel={here} />
      <Work model={model} onDiscard={() => go({ screen: 'cards' })} />
      <PaneTabs shown={model.workspace.pane} />
      {panel === 'publish' && canPublish && <LazyPanel name="PublishPanel" model={model} onClose={() => here()} />}
      {panel === 'map-settings' && <LazyPanel name="MapSettingsPanel" model={model} onClose={() => here()} />}
      {panel === 'table' && <LazyPanel name="TablePanel" model={model} onClose={() => here()} />}
      {panel === 'conflicts' && <LazyPanel name="ConflictPanel" model={model} onClose={() => here()} />}
      {history}
      <CommandDialogs model={model} />
    </div>
  );
}

/** The name of the project, which is also the title of the page. */
function useTitle({ store, connection }: ProjectDocument): ReadonlySignal<string> {
  const state = connection.state.value;
  const name = useComputed(() => {
    store.revision('project').value;
    return String(store.shown(store.id)?.['name'] || texts.unnamed);
  });
  useEffect(() => {
    document.title = state === 'open' ? `${name.value} – ${texts.name}` : texts.name;
  }, [state, name.value]);
  return name;
}

/** The lists, the map and the form. @param onDiscard leaves the project, which was deleted */
function Work({ model, onDiscard }: { readonly model: EditorModel; readonly onDiscard: () => void }) {
  const importing = model.workspace.importing.value;
  const t = texts.editor;
  return (
    <main class={`work ${importing === undefined ? '' : 'importing'}`}>
      <section class="left" aria-label={t.list}>
        <Outline model={model} />
      </section>
      <section class="middle" aria-label={t.map}>
        <MapPane model={model} />
        <NoticeLine model={model} />
        {model.workspace.library.value === undefined && <UploadLines uploads={model.document.uploads} />}
      </section>
      <section class="right" aria-label={t.form}>
        {importing === undefined ? (
          <Inspector model={model} />
        ) : (
          <ImportPane
            model={model}
            request={importing}
            onClose={(isCancelled) => void endImport(model, isCancelled, onDiscard)}
          />
        )}
      </section>
    </main>
  );
}

/** Ends an import. A project that was created for it is deleted if the import is cancelled and it has no objects. */
async function endImport(model: EditorModel, isCancelled: boolean, onDiscard: () => void): Promise<void> {
  const { importing } = model.workspace;
  const { store, connection } = model.document;
  const isFutile = isCancelled && importing.value?.isNewProject === true && store.ids(model.selection.objects).length === 0;
  importing.value = undefined;
  if (!isFutile) {
    model.workspace.map?.focus();
    return;
  }
  try {
    await connection.session.client.delete('/projects/{project_id}', { params: { path: { project_id: store.id } } });
  } finally {
    onDiscard();
  }
}

/** The dialogs that commands open. */
function CommandDialogs({ model }: { readonly model: EditorModel }) {
  const { library, icons, replacing, isHelpOpen, tourStep } = model.workspace;
  return (
    <>
      {library.value !== undefined && <LazyPanel name="LibraryPanel" model={model} use={library.value} />}
      {icons.value !== undefined && (
        <LazyPanel
          name="IconPanel"
          model={model}
          onUse={icons.value}
          onClose={() => {
            icons.value = undefined;
          }}
        />
      )}
      {replacing.value !== undefined && <LazyPanel name="ReplacePanel" model={model} {...replacing.value} />}
      {tourStep.value !== undefined && <LazyPanel name="Tour" model={model} />}
      {isHelpOpen.value && (
        <LazyPanel
          name="HelpPanel"
          model={model}
          onClose={() => {
            isHelpOpen.value = false;
          }}
        />
      )}
    </>
  );
}

/** Instead of a project that was deleted, or was never here. */
function NoProject({ isGone }: { readonly isGone: boolean }) {
  const t = texts.editor;
  return (
    <main class="sign-in">
      <div class="card-box">
        <h1>
          <Logo /> {isGone ? t.gone : t.missing}
        </h1>
        {isGone && <p>{t.goneText}</p>}
        <p>
          <a class="button" href={hashOf({ screen: 'cards' })}>
            {t.toCards}
          </a>
        </p>
      </div>
    </main>
  );
}

/** Milliseconds for which a notice stays; a problem stays until the next notice. */
const noticeMs = 5000;

function NoticeLine({ model }: { readonly model: EditorModel }) {
  const { edits } = model.document;
  const notice = edits.notices.current.value;
  useEffect(() => {
    if (notice === undefined || notice.isProblem) return undefined;
    const timer = setTimeout(() => edits.notices.say(''), notice.undoes === undefined ? noticeMs : 3 * noticeMs);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div
      class={`toast ${notice?.isProblem === true ? 'problem' : ''} ${notice === undefined || notice.text === '' ? 'none' : ''}`}
      role="status"
    >
      {notice?.text}
      {notice?.undoes !== undefined && notice.undoes === edits.steps.value && (
        <button type="button" class="link" onClick={() => void model.undo()}>
          {texts.editor.bringBack}
        </button>
      )}
      {notice?.isProblem === true && (
        <button type="button" class="quiet" aria-label={texts.close} onClick={() => edits.notices.say('')}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
