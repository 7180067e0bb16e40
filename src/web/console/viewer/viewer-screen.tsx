/** A project for somebody who may only look: the map as visitors see it, and whether they see it like this already. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { lateTexts } from '../late-texts.ts';
import { PreviewFrame } from '../map-preview/map-preview.tsx';
import { AccountMenu } from '../people/account-menu.tsx';
import { askPublication, type PublicationState } from '../publish/ask-publication.ts';
import { hashOf } from '../screen-route.ts';
import type { ConsoleSession } from '../server/console-session.ts';
import { Button } from '../ui/button.tsx';
import { Icon, IconButton } from '../ui/icons.tsx';

/** After a change of the project, its state is asked for after this pause, in milliseconds: an import is many changes. */
const pauseMs = 1000;

interface Props {
  readonly model: EditorModel;
  readonly session: ConsoleSession;
  /** The name of the project. */
  readonly title: string;
  readonly onHistory: () => void;
}

export function ViewerScreen({ model, session, title, onHistory }: Props) {
  const t = lateTexts.viewer;
  return (
    <div class="viewer">
      <header class="bar">
        <a class="button quiet" href={hashOf({ screen: 'cards' })} aria-label={texts.editor.back} title={texts.editor.back}>
          <Icon name="back" />
        </a>
        <h1 class="grow">{title}</h1>
        <Button
          label={t.inside}
          title={t.insideHint}
          onClick={() => {
            model.workspace.isInside.value = true;
          }}
        />
        <IconButton icon="history" label={texts.editor.history} onClick={onHistory} />
        <AccountMenu session={session} />
      </header>
      <main>
        <DraftState document={model.document} />
        <PreviewFrame document={model.document} title={t.mapOf(title)} class="whole" />
      </main>
    </div>
  );
}

function DraftState({ document }: { readonly document: ProjectDocument }) {
  const { store } = document;
  const publication = usePublication(document);
  const t = lateTexts.viewer;
  const hasActions = store.members({ kind: 'action' }).length > 0;
  return (
    <p class="draft-state">
      <span role="status">{stateText(publication)}</span>
      <span class="hint">
        {hasActions && `${t.withoutData} `}
        {t.links}
      </span>
    </p>
  );
}

function stateText(publication: PublicationState | undefined): string {
  const t = lateTexts.viewer;
  if (publication === undefined) return t.asking;
  if (publication === 'none') return t.none;
  return publication.changed ? t.changed(publication.published) : t.same(publication.published);
}

/** The publication, asked for again after each change; `undefined` until it is known. */
function usePublication({ connection, store }: ProjectDocument): PublicationState | undefined {
  const found = useSignal<PublicationState | undefined>(undefined);
  const { value: publications } = connection.publications;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isHere = true;
    const ask = () =>
      askPublication(connection.session.client, store.id, 'GET').then(
        (state) => {
          if (isHere) found.value = state;
        },
        // What is known stays.
        () => undefined,
      );
    void ask();
    const endFollowing = store.onChange(() => {
      clearTimeout(timer);
      timer = setTimeout(ask, pauseMs);
    });
    return () => {
      isHere = false;
      clearTimeout(timer);
      endFollowing();
    };
  }, [publications, store]);
  return found.value;
}
