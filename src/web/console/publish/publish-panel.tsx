/** Publishing: the link, how to show the map on another page, and the way back. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ProblemError, type Publication } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { lateTexts } from '../late-texts.ts';
import { LocalAddress } from '../server/local-address.tsx';
import { serverRoot } from '../server/server-root.ts';
import { Confirm } from '../ui/confirm.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { Panel } from '../ui/panel.tsx';
import { askPublication, type PublicationState, publicAddress } from './ask-publication.ts';
import { defaultRefresh, Hosts, hasData, isRefresh, RefreshField, SourceList } from './live-publication.tsx';
import { MapSettings } from './map-settings.tsx';

export function PublishPanel({ model, onClose }: { readonly model: EditorModel; readonly onClose: () => void }) {
  const { session, store, edits } = model;
  const found = useSignal<PublicationState | undefined>(undefined);
  const problem = useSignal('');
  const busy = useSignal(false);
  const origins = useSignal<string | undefined>(undefined);
  const refresh = useSignal<string | undefined>(undefined);
  const t = lateTexts.publish;
  const ask = async (method: 'GET' | 'PUT' | 'DELETE') => {
    busy.value = true;
    problem.value = '';
    try {
      // What is public is what the user sees here.
      await edits.idle();
      const wanted = origins.value?.split(/[\s,]+/).filter((origin) => origin !== '');
      const wish = { origins: wanted, refresh: refresh.value === undefined ? undefined : Number(refresh.value) };
      found.value = await askPublication(session.client, store.id, method, method === 'PUT' ? wish : {});
      if (method === 'PUT') {
        origins.value = undefined;
        refresh.value = undefined;
      }
    } catch (error) {
      problem.value = error instanceof ProblemError ? error.detail : (error as Error).message;
    } finally {
      busy.value = false;
    }
  };
  const published = model.publications.value;
  useEffect(() => void ask('GET'), [published]);
  const publication = found.value;
  const isRefused = refresh.value !== undefined && !isRefresh(refresh.value);
  const refreshField = {
    text: refresh.value,
    onText: (text: string) => {
      refresh.value = text;
    },
  };
  // What is published is above the button that publishes it.
  const settings = <MapSettings model={model} onChange={() => void ask('GET')} />;
  return (
    <Panel title={t.title} onClose={onClose}>
      {publication === undefined && problem.value === '' && <p>{texts.loading}</p>}
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {publication === 'none' && (
        <>
          <p>{t.intro}</p>
          <p class="hint">{t.leftOut}</p>
          {hasData(store) && <RefreshField {...refreshField} stored={defaultRefresh(store)} />}
          {Number(refresh.value ?? defaultRefresh(store)) !== 0 && <Hosts store={store} />}
          {settings}
          <p>
            <button type="button" class="primary" disabled={busy.value || isRefused} onClick={() => void ask('PUT')}>
              {t.publish}
            </button>
          </p>
        </>
      )}
      {typeof publication === 'object' && (
        <Published
          publication={publication}
          origins={origins.value ?? publication.origins.join('\n')}
          refresh={refresh.value}
          isBusy={busy.value}
          settings={
            <>
              {(hasData(store) || publication.refresh !== 0) && (
                <>
                  <RefreshField {...refreshField} stored={publication.refresh} />
                  {publication.refresh !== 0 && <SourceList model={model} version={publication.version} />}
                </>
              )}
              {settings}
            </>
          }
          onOrigins={(text) => {
            origins.value = text;
          }}
          ask={ask}
        />
      )}
    </Panel>
  );
}

function Published(props: {
  readonly publication: Publication;
  readonly origins: string;
  /** What is typed; `undefined` for nothing. */
  readonly refresh: string | undefined;
  /** What the map does with data, and what is on it. */
  readonly settings: ComponentChildren;
  readonly isBusy: boolean;
  readonly onOrigins: (text: string) => void;
  readonly ask: (method: 'PUT' | 'DELETE') => Promise<void>;
}) {
  const { publication, origins, refresh, isBusy, ask } = props;
  const isLeaving = useSignal(false);
  const t = lateTexts.publish;
  const hasNewOrigins = origins.trim() !== publication.origins.join('\n');
  const hasNewRefresh = refresh !== undefined && Number(refresh) !== publication.refresh;
  return (
    <>
      <p>
        {t.published(publication.published, publication.version)} ({t.size(Math.ceil(publication.bytes / 1000))})
        <br />
        {publication.changed ? t.stale : t.upToDate}
      </p>
      {props.settings}
      <label for="origins">{t.origins}</label>
      <textarea
        id="origins"
        class="code"
        rows={3}
        spellcheck={false}
        aria-describedby="origins-hint"
        value={origins}
        onInput={(event) => props.onOrigins(event.currentTarget.value)}
      />
      <p class="hint" id="origins-hint">
        {t.originsHint}
      </p>
      <p>
        <button
          type="button"
          class="primary"
          disabled={
            isBusy || (refresh !== undefined && !isRefresh(refresh)) || !(publication.changed || hasNewOrigins || hasNewRefresh)
          }
          onClick={() => void ask('PUT')}
        >
          {t.again}
        </button>
      </p>
      <Addresses address={publicAddress(publication)} />
      <p class="hint">{t.leftOut}</p>
      <p>
        <button
          type="button"
          class="danger-text"
          disabled={isBusy}
          onClick={() => {
            isLeaving.value = true;
          }}
        >
          {t.unpublish}
        </button>
      </p>
      {isLeaving.value && (
        <Confirm
          title={t.unpublishTitle}
          text={t.unpublishText}
          action={t.unpublish}
          onDecide={(yes) => {
            isLeaving.value = false;
            if (yes) void ask('DELETE');
          }}
        />
      )}
    </>
  );
}

/** The link, and how to show the map on another page. */
function Addresses({ address }: { readonly address: string }) {
  const script = new URL('viewer.js', serverRoot()).href;
  const t = lateTexts.publish;
  return (
    <>
      <h3>{t.link}</h3>
      <CopyText label={t.copy} done={t.copied} text={address} title={t.link} />
      <LocalAddress address={address} />
      <p>
        <a href={address} target="_blank" rel="noopener">
          {t.open}
        </a>
      </p>
      <h3>{t.snippet}</h3>
      <CopyText
        label={t.copy}
        done={t.copied}
        title={t.snippet}
        text={`<script type="module" src="${script}"></script>\n<mapwright-map src="${address}"></mapwright-map>`}
      />
      <h3>{t.frame}</h3>
      <CopyText
        label={t.copy}
        done={t.copied}
        title={t.frame}
        text={`<iframe src="${address}" width="800" height="600" title="Map"></iframe>`}
      />
    </>
  );
}
