/** The models of open projects: that of the project on the screen, and those that were left before everything was saved. */
import { effect, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { beginsLive, isJustMade } from '../../cards/new-projects.ts';
import { clipboardEvent, globalKey } from '../../commands/keyboard.ts';
import { startImport } from '../../commands/take-file.ts';
import { controlsOf } from '../../controls.ts';
import { whenSaved } from '../../document/save-state.ts';
import { takeWaiting } from '../../import/waiting-imports.ts';
import { simulationFor } from '../../live/simulation.ts';
import type { Go, Route } from '../../screen-route.ts';
import type { ConsoleSession } from '../../server/console-session.ts';
import { askAboutUnsaved, isAnythingUnsaved } from '../../server/unsaved.ts';
import { hasUnfinished, isTyping } from '../../ui/use-draft.ts';
import { EditorModel } from '../editor-model.ts';
import type { ProjectDocument } from '../project-document.ts';

const clipboardTypes = ['copy', 'cut', 'paste'] as const;

type EditorRoute = Extract<Route, { screen: 'editor' }>;

/** By account, rights and project. */
const models = new Map<string, EditorModel>();

askAboutUnsaved(() => {
  const holdsInput = ({ edits, store, uploads }: ProjectDocument) =>
    edits.hasUnsaved || uploads.isBusy || hasUnfinished((id) => store.has(id));
  return isTyping.value || [...models.values()].some((model) => holdsInput(model.document));
});

addEventListener('beforeunload', (event) => {
  if (isAnythingUnsaved()) event.preventDefault();
});

/** A model of a session that may change less is another one. */
const keyOf = (session: ConsoleSession, project: string): string =>
  `${session.account} ${controlsOf(session).canWrite} ${project}`;

function modelOf(session: ConsoleSession, project: string): EditorModel {
  const key = keyOf(session, project);
  const model = models.get(key) ?? new EditorModel(session, project);
  models.set(key, model);
  return model;
}

/** Ends a model that is not on the screen, when it has saved everything. */
async function leave(model: EditorModel): Promise<void> {
  model.isLeft = true;
  // What was typed last is committed by its field when it disappears, which is before this.
  await model.document.uploads.idle();
  await whenSaved(model.document.edits.state);
  if (!model.isLeft) return;
  models.delete(keyOf(model.document.connection.session, model.document.store.id));
  model.close();
}

/** Opens the project, and begins with what its address or another screen has asked for. */
async function open(model: EditorModel, { selected, artboard }: EditorRoute): Promise<void> {
  const { store } = model.document;
  await model.document.connection.open();
  if (artboard !== undefined) model.selection.artboardId.value = artboard;
  if (selected !== undefined && store.has(selected)) model.selection.select([selected], { reveal: true });
  if (isJustMade(store.id)) model.selection.select([], { field: 'name' });
  if (beginsLive(store.id)) await beginLive(model);
  const file = takeWaiting(store.id);
  if (file !== undefined) void startImport(model, file, true);
}

/** Shows the data sources beside the live map, which follows simulated data; the artboard is the first one that data change. */
async function beginLive({ document, selection }: EditorModel): Promise<void> {
  const { store, simulation } = document;
  selection.list.value = 'data_source';
  const drawn = store.members({ kind: 'action' }).find(({ type }) => type === 'create-spots');
  const artboard = drawn?.['create_object_target_artboard_id'];
  if (typeof artboard === 'string') selection.artboardId.value = artboard;
  const simulate = await simulationFor(store);
  if (simulate !== undefined) simulation.start(simulate);
}

/** Keys, the clipboard and the connection. Returns a function that ends it. */
function listen(model: EditorModel, isPastShown: { readonly current: boolean }): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isPastShown.current) globalKey(model, event);
  };
  const onOnline = () => model.document.edits.retry();
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
  };
}

/** Keeps the artboard on the map in the address, so that it is shown again after a reload. The first one needs no name. */
function putArtboard(
  { selection: { artboardId }, document: { artboards } }: EditorModel,
  route: EditorRoute,
  go: Go,
  put: { current: string | undefined },
): () => void {
  const { screen, project, artboard, panel, version, selected } = route;
  /** The artboard to which what the address selects has led. */
  let reached: string | undefined;
  return effect(() => {
    const { value: id } = artboardId;
    const wanted = id === artboards.value[0]?.id ? undefined : id;
    // There is no artboard, or the first one is not chosen yet.
    if (id === '') return;
    reached ??= id;
    if (selected === undefined ? wanted === artboard : reached === id) return;
    put.current = wanted;
    go({ screen, project, artboard: wanted, ...(panel && { panel }), ...(version && { version }) }, { replace: true });
  });
}

/** The model of a project while its screen is shown. */
export function useEditor(session: ConsoleSession, route: EditorRoute, go: Go): EditorModel {
  const model = useMemo(() => modelOf(session, route.project), [keyOf(session, route.project)]);
  const isPastShown = useRef(false);
  const isOpened = useSignal(false);
  /** The artboard that the address has, or gets from this page: the map may show another one until then. */
  const put = useRef<string | undefined>(undefined);
  isPastShown.current = route.version !== undefined;
  useEffect(() => model.document.connection.renew(session), [model, session]);
  useEffect(() => {
    model.isLeft = false;
    isOpened.value = false;
    void open(model, route).then(() => {
      isOpened.value = true;
    });
    const end = listen(model, isPastShown);
    return () => {
      end();
      void leave(model);
    };
  }, [model]);
  useEffect(() => {
    const { artboard } = route;
    if (!isOpened.value || model.document.connection.state.value !== 'open') return undefined;
    // An address of another artboard was opened.
    if (artboard !== undefined && artboard !== put.current && artboard !== model.selection.artboardId.value) {
      model.selection.ids.value = [];
      model.selection.artboardId.value = artboard;
    }
    put.current = artboard;
    return putArtboard(model, route, go, put);
  }, [model, route, isOpened.value]);
  return model;
}
