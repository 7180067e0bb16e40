/** The bar above the editor: back to the cards, the name of the project, what is saved, and the buttons that lead to dialogs. */
import { useSignal } from '@preact/signals';
import { texts } from '../../console-texts.ts';
import { controlsOf } from '../../controls.ts';
import { Lazy } from '../../lazy.tsx';
import { AccountMenu } from '../../people/account-menu.tsx';
import { hashOf, type PanelName } from '../../screen-route.ts';
import type { ConsoleSession } from '../../server/console-session.ts';
import { Button } from '../../ui/button.tsx';
import { Icon, IconButton } from '../../ui/icons.tsx';
import { UndoButtons } from '../../ui/undo-buttons.tsx';
import { isTyping } from '../../ui/use-draft.ts';
import type { EditorModel } from '../editor-model.ts';

const loadShare = () => import('../../people/people-module.ts').then(({ SharePanel }) => SharePanel);

export function EditorBar(props: {
  readonly model: EditorModel;
  readonly session: ConsoleSession;
  readonly name: string;
  readonly onPanel: (panel: PanelName) => void;
}) {
  const { model, session, onPanel } = props;
  const { canInvite, canPublish, showsMapFirst } = controlsOf(session);
  const isSharing = useSignal(false);
  const t = texts.editor;
  return (
    <header class="bar">
      <a class="button quiet" href={hashOf({ screen: 'cards' })} aria-label={t.back} title={t.back}>
        <Icon name="back" />
      </a>
      <h1>
        <button type="button" class="title" onClick={() => model.selection.select([], { field: 'name' })}>
          {props.name}
        </button>
      </h1>
      <SaveLine model={model} onDecide={() => onPanel('conflicts')} />
      <span class="grow" />
      {model.document.canWrite && (
        <UndoButtons steps={model.document.edits.steps} hasKeys={true} onUndo={() => model.undo()} onRedo={() => model.redo()} />
      )}
      <IconButton
        icon="pictures"
        label={texts.library.title}
        onClick={() => {
          model.workspace.library.value = {};
        }}
      />
      <IconButton data-tour="settings" icon="settings" label={t.mapSettings} onClick={() => onPanel('map-settings')} />
      <IconButton icon="history" label={texts.editor.history} onClick={() => onPanel('history')} />
      <IconButton
        icon="help"
        label={t.help}
        keys="?"
        onClick={() => {
          model.workspace.isHelpOpen.value = true;
        }}
      />
      {showsMapFirst && (
        <Button
          label={t.toMap}
          onClick={() => {
            model.workspace.isInside.value = false;
          }}
        />
      )}
      {canInvite && (
        <button type="button" title={t.share} aria-label={t.share} onClick={() => (isSharing.value = true)}>
          <Icon name="share" /> <span class="wide-only">{t.share}</span>
        </button>
      )}
      {canPublish && (
        <button type="button" class="primary" data-tour="publish" onClick={() => onPanel('publish')}>
          {t.publish}
        </button>
      )}
      <AccountMenu session={session} />
      {isSharing.value && (
        <Lazy
          load={loadShare}
          props={{ session, project: model.document.store.id, name: props.name, onClose: () => (isSharing.value = false) }}
        />
      )}
    </header>
  );
}

function SaveLine({ model, onDecide }: { readonly model: EditorModel; readonly onDecide: () => void }) {
  const state = model.document.edits.state.value;
  if (!model.document.canWrite) return null;
  const isUnsaved = state === 'saved' && isTyping.value;
  return (
    <span class={`save-state ${isUnsaved ? 'typing' : state}`}>
      <span role="status">{isUnsaved ? texts.editor.unsaved : texts.saving.states[state]}</span>
      {(state === 'waiting' || state === 'stopped') && (
        <button type="button" class="link" onClick={() => model.document.edits.retry()}>
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
