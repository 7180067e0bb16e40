/** The editor of one project: lists, map, form, and above them what is saved. */
import { useComputed } from '@preact/signals';
import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks';
import { isJustMade } from '../cards/new-projects.ts';
import { texts } from '../console-texts.ts';
import { UploadLines } from '../files/upload-lines.tsx';
import { hasUnfinished, isTyping } from '../forms/use-draft.ts';
import { ImportPane } from '../import/import-pane.tsx';
import { takeWaiting } from '../import/waiting-imports.ts';
import { MapPane } from '../map/map-pane.tsx';
import { hashOf, type PanelName, type Route } from '../screen-route.ts';
import { AccountMenu } from '../server/account-menu.tsx';
import type { ConsoleSession } from '../server/console-session.ts';
import { SignInAgain } from '../server/sign-in-screen.tsx';
import { Icon, Logo } from '../ui/icons.tsx';
import { HistoryPane, VersionPane } from '../versions/versions-pane.tsx';
import { ConflictPanel } from './conflict-panel.tsx';
import { EditorModel, type Pane } from './editor-model.ts';
import { Inspector } from './inspector.tsx';
import { clipboardEvent, globalKey } from './keyboard.ts';
import { LazyPanel } from './lazy-panel.tsx';
import { Outline } from './outline.tsx';

interface Props {
  readonly session: ConsoleSession;
  /** Why the server refuses the key of the session, while something is not saved. */
  readonly ended: string | undefined;
  readonly route: Extract<Route, { screen: 'editor' }>;
  readonly go: (to: Route, options?: { readonly replace?: boolean }) => void;
}

const panes: readonly Pane[] = ['list', 'map', 'form'];

const clipboardTypes = ['copy', 'cut', 'paste'] as const;

/** Models by account and project: of the project on the screen, and of those that were left before everything was saved. */
const models = new Map<string, EditorModel>();

addEventListener('beforeunload', (event) => {
  const holdsInput = ({ edits, store, uploads }: EditorModel) =>
    edits.hasUnsaved || uploads.isBusy || hasUnfinished((id) => store.has(id));
  if (isTyping.value || [...models.values()].some(holdsInput)) event.preventDefault();
});

function modelOf(session: ConsoleSession, project: string): EditorModel {
  const key = `${session.account} ${project}`;
  const model = models.get(key) ?? new EditorModel(session, project);
  models.set(key, model);
  return model;
}

/** Ends a model that is not on the screen, when it has saved everything. */
async function leave(model: EditorModel): Promise<void> {
  model.isLeft = true;
  // What was typed last is committed by its field when it disappears, which is before this.
  await model.uploads.idle();
  await model.edits.allSaved();
  if (!model.isLeft) return;
  models.delete(`${model.session.account} ${model.store.id}`);
  model.close();
}

export function EditorScreen({ session, ended, route, go }: Props) {
  const model = useMemo(() => modelOf(session, route.project), [session.account, route.project]);
  const { edits, store } = model;
  const { version } = route;
  const isPastShown = useRef(false);
  isPastShown.current = version !== undefined;
  /** The version that was shown last: the history begins at it. */
  const lastVersion = useRef<string | undefined>(undefined);
  lastVersion.current = version?.id ?? lastVersion.current;
  useEffect(() => model.renew(session), [model, session]);
  useEffect(() => {
    model.isLeft = false;
    void model.open().then(() => {
      if (route.selected !== undefined && store.has(route.selected)) model.select([route.selected], { reveal: true });
      if (isJustMade(route.project)) model.select([], { field: 'name' });
      const file = takeWaiting(route.project);
      if (file !== undefined) void model.startImport(file, true);
    });
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPastShown.current) globalKey(model, event);
    };
    const onOnline = () => edits.retry();
    const onClipboard = (event: ClipboardEvent) => {
      if (!isPastShown.current) clipboardEvent(model, event);
    };
    for (const type of clipboardTypes) addEventListener(type, onClipboard);
    addEventListener('keydown', onKeyDown);
    addEventListener('online', onOnline);
    return () => {
      for (const type of clipboardTypes) removeEventListener(type, onClipboard);
      removeEventListener('keydown', onKeyDown);
      removeEventListener('online', onOnline);
      void leave(model);
    };
  }, [model]);
  const name = useComputed(() => {
    store.revision('project').value;
    return String(store.shown(store.id)?.['name'] || texts.unnamed);
  });
  const state = model.state.value;
  const here = useCallback(
    (panel?: PanelName) => go({ screen: 'editor', project: route.project, ...(panel === undefined ? {} : { panel }) }),
    [route.project],
  );
  const toHistory = useCallback(() => here('history'), [here]);
  useEffect(() => {
    document.title = state === 'open' ? `${name.value} – ${texts.name}` : texts.name;
  }, [state, name.value]);
  if (state === 'loading') return <p class="starting">{edits.notice.value?.text ?? texts.loading}</p>;
  if (state === 'missing' || state === 'gone') return <NoProject isGone={state === 'gone'} />;
  if (version !== undefined)
    return (
      <>
        <VersionPane
          key={version.id}
          model={model}
          route={version}
          onRoute={(shown) => go({ screen: 'editor', project: route.project, version: shown }, { replace: true })}
          onBack={toHistory}
          onEditor={() => here()}
        />
        {ended !== undefined && <SignInAgain why={ended} />}
      </>
    );
  const importing = model.importing.value;
  const endImport = async (isCancelled: boolean): Promise<void> => {
    const isFutile = isCancelled && importing?.isNewProject === true && store.ids(model.objects).length === 0;
    model.importing.value = undefined;
    if (!isFutile) {
      model.map?.focus();
      return;
    }
    try {
      await session.client.delete('/projects/{project_id}', { params: { path: { project_id: route.project } } });
    } finally {
      go({ screen: 'cards' });
    }
  };
  const t = texts.editor;
  return (
    <div class={`editor pane-${model.pane.value}`}>
      <Bar model={model} session={session} name={name.value} onPanel={here} />
      <main class={`work ${importing === undefined ? '' : 'importing'}`}>
        <section class="left" aria-label={t.list}>
          <Outline model={model} />
        </section>
        <section class="middle" aria-label={t.map}>
          <MapPane model={model} />
          <NoticeLine model={model} />
          {model.library.value === undefined && <UploadLines uploads={model.uploads} />}
        </section>
        <section class="right" aria-label={t.form}>
          {importing === undefined ? (
            <Inspector model={model} />
          ) : (
            <ImportPane model={model} request={importing} onClose={(isCancelled) => void endImport(isCancelled)} />
          )}
        </section>
      </main>
      <nav class="panes" aria-label={texts.name}>
        {panes.map((pane) => (
          <button
            key={pane}
            type="button"
            aria-current={model.pane.value === pane}
            onClick={() => {
              model.pane.value = pane;
            }}
          >
            {t[pane]}
          </button>
        ))}
      </nav>
      {route.panel === 'publish' && <LazyPanel name="PublishPanel" model={model} onClose={() => here()} />}
      {route.panel === 'conflicts' && <ConflictPanel model={model} onClose={() => here()} />}
      {route.panel === 'history' && (
        <HistoryPane
          model={model}
          returnedFrom={lastVersion.current}
          onLook={(shown) => go({ screen: 'editor', project: route.project, version: shown })}
          onClose={() => {
            lastVersion.current = undefined;
            here();
          }}
        />
      )}
      {model.library.value !== undefined && <LazyPanel name="LibraryPanel" model={model} use={model.library.value} />}
      {model.replacing.value !== undefined && <LazyPanel name="ReplacePanel" model={model} {...model.replacing.value} />}
      {ended !== undefined && <SignInAgain why={ended} />}
      {model.isHelpOpen.value && (
        <LazyPanel
          name="Shortcuts"
          model={model}
          onClose={() => {
            model.isHelpOpen.value = false;
          }}
        />
      )}
    </div>
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

function Bar(props: {
  readonly model: EditorModel;
  readonly session: ConsoleSession;
  readonly name: string;
  readonly onPanel: (panel: PanelName) => void;
}) {
  const { model, onPanel } = props;
  const t = texts.editor;
  return (
    <header class="bar">
      <a class="button quiet" href={hashOf({ screen: 'cards' })} aria-label={t.back} title={t.back}>
        <Icon name="back" />
      </a>
      <h1>
        <button type="button" class="title" onClick={() => model.select([], { field: 'name' })}>
          {props.name}
        </button>
      </h1>
      <SaveLine model={model} onDecide={() => onPanel('conflicts')} />
      <span class="grow" />
      {model.canWrite && <UndoButtons model={model} />}
      <button
        type="button"
        class="quiet"
        aria-label={texts.library.title}
        title={texts.library.title}
        onClick={() => {
          model.library.value = {};
        }}
      >
        <Icon name="pictures" />
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={texts.versions.title}
        title={texts.versions.title}
        onClick={() => onPanel('history')}
      >
        <Icon name="history" />
      </button>
      <button
        type="button"
        class="quiet help"
        aria-label={t.help}
        title={`${t.help} (?)`}
        onClick={() => {
          model.isHelpOpen.value = true;
        }}
      >
        <Icon name="help" />
      </button>
      {model.canWrite && (
        <button type="button" class="primary" onClick={() => onPanel('publish')}>
          {t.publish}
        </button>
      )}
      <AccountMenu session={props.session} />
    </header>
  );
}

function UndoButtons({ model }: { readonly model: EditorModel }) {
  const { undo, redo } = model.edits.steps.value;
  const t = texts.editor;
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-label={t.undo}
        title={`${t.undo} (Ctrl Z)`}
        disabled={undo === 0}
        onClick={() => void model.undo()}
      >
        <Icon name="undo" />
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={t.redo}
        title={`${t.redo} (Ctrl Shift Z)`}
        disabled={redo === 0}
        onClick={() => void model.redo()}
      >
        <Icon name="redo" />
      </button>
    </>
  );
}

function SaveLine({ model, onDecide }: { readonly model: EditorModel; readonly onDecide: () => void }) {
  const state = model.edits.state.value;
  if (!model.canWrite) return null;
  const isUnsaved = state === 'saved' && isTyping.value;
  return (
    <span class={`save-state ${isUnsaved ? 'typing' : state}`}>
      <span role="status">{isUnsaved ? texts.editor.unsaved : texts.saving.states[state]}</span>
      {(state === 'waiting' || state === 'stopped') && (
        <button type="button" class="link" onClick={() => model.edits.retry()}>
          {texts.saving.retry}
        </button>
      )}
      {state === 'conflict' && (
        <button type="button" class="link" onClick={onDecide}>
          {texts.saving.decide}
        </button>
      )}
    </span>
  );
}

/** Milliseconds for which a notice stays; a problem stays until the next notice. */
const noticeMs = 5000;

function NoticeLine({ model }: { readonly model: EditorModel }) {
  const { edits } = model;
  const notice = edits.notice.value;
  useEffect(() => {
    if (notice === undefined || notice.isProblem) return undefined;
    const timer = setTimeout(() => edits.say(''), notice.undoes === undefined ? noticeMs : 3 * noticeMs);
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
        <button type="button" class="quiet" aria-label={texts.close} onClick={() => edits.say('')}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
