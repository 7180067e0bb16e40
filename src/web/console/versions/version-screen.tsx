/** A version instead of the editor: the project as it was, or compared with now. Nothing can be changed; Esc leads back. */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { lateTexts } from '../late-texts.ts';
import { MapPane } from '../map/map-pane.tsx';
import { Inspector } from '../panels/inspector.tsx';
import { Artboards, Outline } from '../panels/outline.tsx';
import { PaneTabs } from '../panels/pane-tabs.tsx';
import type { VersionRoute } from '../screen-route.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icons.tsx';
import { ChangeDetails } from './change-details.tsx';
import { ChangeList } from './change-list.tsx';
import { RestoreQuestion } from './restore-question.tsx';
import { VersionView } from './version-view.ts';

export interface VersionProps {
  /** The project as it is. */
  readonly model: EditorModel;
  readonly route: VersionRoute;
  /** Shows the version alone, or compared. */
  readonly onRoute: (route: VersionRoute) => void;
  /** To the history. */
  readonly onBack: () => void;
  /** To the editor. */
  readonly onEditor: () => void;
}

export function VersionScreen({ model, route, onRoute, onBack, onEditor }: VersionProps) {
  const view = useMemo(() => new VersionView(model, route.id), [model, route.id]);
  const isRestoring = useSignal(false);
  useEffect(() => () => view.close(), [view]);
  useEffect(() => void view.show(route.isCompared), [view, route.isCompared]);
  useEscape(view, onBack);
  const state = view.state.value;
  const { model: past } = view;
  const version = view.version.value;
  if (state !== 'shown') return <NotShown view={view} isCompared={route.isCompared} onBack={onBack} />;
  const t = texts.editor;
  const isCompared = view.comparison.value !== undefined;
  return (
    <div class={`editor version-screen pane-${past.workspace.pane.value}`}>
      <VersionBar
        view={view}
        canWrite={model.document.canWrite}
        isCompared={isCompared}
        onBack={onBack}
        onCompare={(wanted) => onRoute({ id: route.id, isCompared: wanted })}
        onRestore={() => {
          isRestoring.value = true;
        }}
      />
      <main class="work">
        <section class="left" aria-label={t.list}>
          {isCompared ? (
            <div class="outline">
              <Artboards model={past} />
              <ChangeList view={view} />
            </div>
          ) : (
            <Outline model={past} />
          )}
        </section>
        <section class="middle" aria-label={t.map}>
          <MapPane model={past} />
        </section>
        <section class="right" aria-label={t.form}>
          <Details view={view} isCompared={isCompared} />
        </section>
      </main>
      <PaneTabs shown={past.workspace.pane} />
      {isRestoring.value && version !== undefined && (
        <RestoreQuestion
          document={model.document}
          version={version}
          onEnd={(isRestored) => {
            isRestoring.value = false;
            if (isRestored) onEditor();
          }}
        />
      )}
    </div>
  );
}

/** Esc chooses nothing, and then leads back. */
function useEscape(view: VersionView, onBack: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
      // It empties a search first.
      if (event.target instanceof HTMLInputElement && event.target.type === 'search' && event.target.value !== '') return;
      event.preventDefault();
      event.stopPropagation();
      if (view.chosen.value === '' && view.model.selection.ids.value.length === 0) onBack();
      else view.chooseNothing();
    };
    // Before the map and the lists, which take the key for themselves.
    addEventListener('keydown', onKeyDown, true);
    return () => removeEventListener('keydown', onKeyDown, true);
  }, [view, onBack]);
}

function Details({ view, isCompared }: { readonly view: VersionView; readonly isCompared: boolean }) {
  const difference = view.differenceAt(view.chosen.value);
  if (difference !== undefined) return <ChangeDetails key={difference.id} view={view} difference={difference} />;
  if (isCompared && view.model.selection.ids.value.length === 0) return <p class="empty">{lateTexts.versions.chooseChange}</p>;
  return <Inspector model={view.model} />;
}

function VersionBar(props: {
  readonly view: VersionView;
  readonly canWrite: boolean;
  readonly isCompared: boolean;
  readonly onBack: () => void;
  readonly onCompare: (isCompared: boolean) => void;
  readonly onRestore: () => void;
}) {
  const { view, isCompared, onCompare } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const version = view.version.value;
  const t = lateTexts.versions;
  useLayoutEffect(() => heading.current?.focus(), []);
  if (version === undefined) return null;
  return (
    <header class="version-head">
      <div class="version-bar">
        <IconButton icon="back" label={t.back} keys="Esc" onClick={props.onBack} />
        <h1 ref={heading} tabIndex={-1}>
          {t.nameOf(version)}
        </h1>
        <span class="badge stale">{t.readOnly}</span>
        <span class="grow" />
        <fieldset class="segments" aria-label={t.view}>
          <Button label={t.asItWas} aria-pressed={!isCompared} onClick={() => onCompare(false)} />
          <Button label={t.compared} aria-pressed={isCompared} onClick={() => onCompare(true)} />
        </fieldset>
        {props.canWrite && <Button label={t.restore} class="primary" onClick={props.onRestore} />}
      </div>
      <p class="version-note" role="status">
        {isCompared ? t.comparing(version.created) : t.looking(version.created)} <span class="wide-only">{t.leave}</span>
        {view.isOutdated.value && (
          <>
            {' '}
            {t.outdated} <Button label={t.compareAgain} class="link" onClick={() => void view.show(true)} />
          </>
        )}
      </p>
    </header>
  );
}

/** Instead of a version that is not there yet, or cannot be shown. */
function NotShown(props: { readonly view: VersionView; readonly isCompared: boolean; readonly onBack: () => void }) {
  const { view, isCompared, onBack } = props;
  const state = view.state.value;
  const t = lateTexts.versions;
  if (state === 'loading') return <p class="starting">{texts.loading}</p>;
  return (
    <main class="sign-in">
      <div class="card-box">
        <h1>{state === 'missing' ? t.missing : view.problem.value}</h1>
        <div class="row">
          {state === 'failed' && <Button label={t.retry} class="primary" onClick={() => void view.show(isCompared)} />}
          <Button label={t.back} autofocus onClick={onBack} />
        </div>
      </div>
    </main>
  );
}
