/** Publishing: what becomes public, how the public map is used, and the way back. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { visibleName } from '../../../lib/draw/map-name.ts';
import { ProblemError, type Publication } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { lateTexts } from '../late-texts.ts';
import { hasData } from '../live/live-state.ts';
import { reasonOf } from '../server/reason-of.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Panel } from '../ui/panel.tsx';
import { Problem } from '../ui/problem.tsx';
import { askPublication, type PublicationState, publicAddress } from './ask-publication.ts';
import { DeadLinkNote } from './dead-link-note.tsx';
import {
  Hosts,
  isRefresh,
  offeredRefresh,
  RefreshField,
  SourceList,
  suitableRefresh,
  useNewestAnswers,
} from './live-publication.tsx';
import { PictureNote, type PictureState } from './picture-note.tsx';
import { makePicture } from './publication-picture.ts';
import { QrCode } from './qr/qr-code.tsx';
import { isReadable, ReadableAddress } from './readable-address.tsx';
import { TilesNote } from './tiles-note.tsx';
import { Uses } from './uses.tsx';
import { VisitsSection } from './visits-section.tsx';

/** What is typed; `undefined` for nothing. */
interface Typed {
  /** A line for each page that may show the map. */
  readonly origins?: string | undefined;
  /** Seconds. */
  readonly refresh?: string | undefined;
  /** The readable address. */
  readonly name?: string | undefined;
}

/** The publication as the server has it, what is typed to change it, and the request that changes it. */
function usePublication(project: ProjectDocument) {
  const { connection, store, edits } = project;
  const found = useSignal<PublicationState | undefined>(undefined);
  const problem = useSignal('');
  const nameProblem = useSignal('');
  const busy = useSignal(false);
  const typed = useSignal<Typed>({});
  const picture = useSignal<PictureState>({ isDrawing: false, problem: '' });
  const drawPicture = async () => {
    picture.value = { isDrawing: true, problem: '' };
    try {
      const drawn = await makePicture(connection.session, store.id);
      if (drawn !== undefined) found.value = drawn;
      picture.value = { isDrawing: false, problem: '' };
    } catch (error) {
      picture.value = { isDrawing: false, problem: reasonOf(error) };
    }
  };
  const asked = useRef(0);
  const ask = async (method: 'GET' | 'PUT' | 'DELETE') => {
    asked.current += 1;
    const number = asked.current;
    // Reading again, when somebody publishes, disables nothing: a button that is disabled loses the focus.
    if (method !== 'GET') busy.value = true;
    problem.value = '';
    nameProblem.value = '';
    try {
      // What is public is what the user sees here.
      await edits.idle();
      const { origins, refresh, name } = typed.value;
      const wanted = origins?.split(/[\s,]+/).filter((origin) => origin !== '');
      // The user sees what the panel offers.
      const offered = found.value === 'none' && hasData(store) ? offeredRefresh(project) : undefined;
      const wish = { origins: wanted, refresh: refresh === undefined ? offered : Number(refresh), name };
      const answer = await askPublication(connection.session.client, store.id, method, method === 'PUT' ? wish : {});
      if (method === 'GET' && number !== asked.current) return;
      found.value = answer;
      if (method === 'PUT') typed.value = {};
      if (method === 'PUT' && answer !== 'none' && answer.picture === null) void drawPicture();
    } catch (error) {
      const detail = reasonOf(error);
      const isOfName = error instanceof ProblemError && error.errors.some(({ pointer }) => pointer === '/name');
      (isOfName ? nameProblem : problem).value = detail;
    } finally {
      if (method !== 'GET') busy.value = false;
    }
  };
  const type = (members: Typed) => {
    typed.value = { ...typed.value, ...members };
    if (members.name !== undefined) nameProblem.value = '';
  };
  const published = connection.publications.value;
  useEffect(() => void ask('GET'), [published]);
  return {
    ...{
      found: found.value,
      problem: problem.value,
      nameProblem: nameProblem.value,
      isBusy: busy.value,
      typed: typed.value,
      type,
      ask,
    },
    ...{ picture: picture.value, drawPicture },
  };
}

export function PublishPanel({ model, onClose }: { readonly model: EditorModel; readonly onClose: () => void }) {
  const { store } = model.document;
  const {
    found: publication,
    problem,
    nameProblem,
    isBusy,
    typed,
    type,
    ask,
    picture,
    drawPicture,
  } = usePublication(model.document);
  const { refresh, name } = typed;
  useNewestAnswers(model.document);
  const offered = offeredRefresh(model.document);
  const t = lateTexts.publish;
  const refreshField = { text: refresh, onText: (text: string) => type({ refresh: text }) };
  const nameField = { text: name, problem: nameProblem, onText: (text: string) => type({ name: text }) };
  const notes = (
    <>
      <TilesNote project={model.document} />
      <DeadLinkNote model={model} onClose={onClose} />
    </>
  );
  useLayoutEffect(() => {
    if (!hasData(store)) focusPrimary();
  }, [publication === undefined]);
  return (
    <Panel title={t.title} onClose={onClose}>
      {publication === undefined && problem === '' && <p>{texts.loading}</p>}
      <Problem text={problem} />
      {publication === 'none' && (
        <>
          <p id="publish-about">{t.intro}</p>
          <p>{t.whatIsPublic}</p>
          {hasData(store) && <RefreshField {...refreshField} stored={offered} />}
          {Number(refresh ?? offered) !== 0 && <Hosts store={store} />}
          <ReadableAddress {...nameField} stored="" />
          {notes}
          <p>
            <PublishButton label={t.publish} isDisabled={isBusy || isRefused(typed)} ask={ask} />
          </p>
        </>
      )}
      {typeof publication === 'object' && (
        <Published
          project={store.id}
          name={visibleName(String(store.shown(store.id)?.['name'] ?? ''))}
          publication={publication}
          typed={typed}
          isBusy={isBusy}
          settings={
            <>
              <ReadableAddress {...nameField} stored={publication.name} />
              {(hasData(store) || publication.refresh !== 0) && (
                <>
                  <RefreshField {...refreshField} stored={publication.refresh} suitable={suitableRefresh(model.document)} />
                  {publication.refresh !== 0 && <SourceList project={model.document} version={publication.version} />}
                </>
              )}
              {notes}
            </>
          }
          picture={
            <PictureNote
              publication={publication}
              state={picture}
              onDraw={model.document.canWrite ? () => void drawPicture() : undefined}
            />
          }
          code={<QrCode model={model} publication={publication} address={publicAddress(publication)} />}
          onOrigins={(origins) => type({ origins })}
          ask={ask}
        />
      )}
      {typeof publication === 'object' && <VisitsSection project={model.document} version={publication.version} />}
    </Panel>
  );
}

/** The one obvious action gets the focus, unless it is further down than the dialog shows, or the user is elsewhere by now. */
function focusPrimary(): void {
  const button = document.querySelector<HTMLElement>('.panel .primary');
  const isUntouched = document.activeElement?.closest('.panel-head') != null;
  if (button !== null && isUntouched && button.getBoundingClientRect().bottom < innerHeight - 16) button.focus();
}

const isRefused = ({ refresh, name = '' }: Typed): boolean => (refresh !== undefined && !isRefresh(refresh)) || !isReadable(name);

/** Whether publishing again changes anything. */
function changesPublic({ changed, origins, refresh, name }: Publication, typed: Typed): boolean {
  const hasNewOrigins = typed.origins !== undefined && typed.origins.trim() !== origins.join('\n');
  const hasNewName = typed.name !== undefined && typed.name !== name;
  return changed || hasNewOrigins || hasNewName || (typed.refresh !== undefined && Number(typed.refresh) !== refresh);
}

function Published(props: {
  readonly project: string;
  readonly name: string;
  readonly publication: Publication;
  readonly typed: Typed;
  /** What the map does with data, and what is on it. */
  readonly settings: ComponentChildren;
  readonly picture: ComponentChildren;
  readonly code: ComponentChildren;
  readonly isBusy: boolean;
  readonly onOrigins: (text: string) => void;
  readonly ask: (method: 'PUT' | 'DELETE') => Promise<void>;
}) {
  const { publication, typed, isBusy, ask } = props;
  const t = lateTexts.publish;
  return (
    <>
      <Uses {...props} address={publicAddress(publication)} />
      {/* What is published is above the button that publishes it. */}
      {props.settings}
      <p id="publish-about">
        {t.published(publication.published, publication.version)} ({t.size(Math.ceil(publication.bytes / 1000))})
        <br />
        {publication.changed ? t.stale : t.upToDate}
      </p>
      <p class="row">
        <PublishButton label={t.again} isDisabled={isBusy || isRefused(typed) || !changesPublic(publication, typed)} ask={ask} />
        <Unpublish isBusy={isBusy} onUnpublish={() => void ask('DELETE')} />
      </p>
      <p class="hint">{t.whatIsPublic}</p>
    </>
  );
}

/** It may have the focus first: it says what it does, and a key that is still held after it opened the panel publishes nothing. */
function PublishButton(props: {
  readonly label: string;
  readonly isDisabled: boolean;
  readonly ask: (method: 'PUT') => Promise<void>;
}) {
  return (
    <Button
      label={props.label}
      class="primary"
      aria-describedby="publish-about"
      disabled={props.isDisabled}
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault();
      }}
      onClick={() => void props.ask('PUT')}
    />
  );
}

/** The button that takes the map back, and its question. */
function Unpublish({ isBusy, onUnpublish }: { readonly isBusy: boolean; readonly onUnpublish: () => void }) {
  const isAsked = useSignal(false);
  const t = lateTexts.publish;
  return (
    <>
      <Button
        label={t.unpublish}
        class="danger-text"
        disabled={isBusy}
        onClick={() => {
          isAsked.value = true;
        }}
      />
      {isAsked.value && (
        <Confirm
          title={t.unpublishTitle}
          text={t.unpublishText}
          action={t.unpublish}
          onDecide={(yes) => {
            isAsked.value = false;
            if (yes) onUnpublish();
          }}
        />
      )}
    </>
  );
}
