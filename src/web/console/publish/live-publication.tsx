/** What a published map does with its data: how often it is evaluated, and which hosts the server asks for it. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PublishedSource } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import type { ProjectStore } from '../document/project-store.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { lateTexts } from '../late-texts.ts';
import { askSources } from './ask-publication.ts';

/** Seconds, as the server takes them. */
const refreshRange = { least: 5, most: 86_400, ofLiveMap: 60 };
/** Pause between two questions for the newest answers, in milliseconds. */
const pollMs = 5000;

/** What the server chooses for a project that is published for the first time. */
export const defaultRefresh = (store: ProjectStore): number =>
  store.ids({ kind: 'action' }).length > 0 ? refreshRange.ofLiveMap : 0;

/** Whether a text is a refresh. */
export function isRefresh(text: string): boolean {
  const seconds = Number(text);
  if (text.trim() === '' || !Number.isInteger(seconds)) return false;
  return seconds === 0 || (seconds >= refreshRange.least && seconds <= refreshRange.most);
}

export function RefreshField(props: {
  /** What is typed; `undefined` for nothing. */
  readonly text: string | undefined;
  readonly stored: number;
  readonly onText: (text: string) => void;
}) {
  const { text = String(props.stored) } = props;
  const isInvalid = !isRefresh(text);
  const t = lateTexts.publish;
  return (
    <>
      <label for="refresh">{t.refresh}</label>
      <input
        id="refresh"
        class="seconds"
        type="number"
        min={0}
        max={refreshRange.most}
        aria-describedby="refresh-hint"
        aria-invalid={isInvalid}
        value={text}
        onInput={(event) => props.onText(event.currentTarget.value)}
      />
      <p class={isInvalid ? 'problem' : 'hint'} id="refresh-hint">
        {t.refreshHint(refreshRange.least, refreshRange.most)}
      </p>
    </>
  );
}

/** The hosts that a project which is not public yet will ask: those of the data sources that variables read. */
export function Hosts({ store }: { readonly store: ProjectStore }) {
  store.revision({ kind: 'data_source' }).value;
  store.revision({ kind: 'variable' }).value;
  const read = new Set(store.members({ kind: 'variable' }).map(({ data_source_id }) => data_source_id));
  const addresses = store
    .members({ kind: 'data_source' })
    .filter(({ id }) => read.has(id))
    .map(({ url }) => String(url ?? ''));
  const hosts = [...new Set(addresses.flatMap((url) => (URL.canParse(url) ? [new URL(url).host] : [])))];
  if (hosts.length === 0) return null;
  return <p class="hint">{lateTexts.publish.hosts(hosts)}</p>;
}

/** The data sources of a published map, and what each answered last. */
export function SourceList({ project, version }: { readonly project: ProjectDocument; readonly version: number }) {
  const found = useSignal<readonly PublishedSource[]>([]);
  const { store } = project;
  const { session } = project.connection;
  useEffect(() => {
    let isHere = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      try {
        if (document.visibilityState === 'visible') found.value = await askSources(session.client, store.id);
      } catch {
        // The list stays as it is: the panel says itself if the server does not answer.
      }
      if (isHere) timer = setTimeout(() => void ask(), pollMs);
    };
    void ask();
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [session, version]);
  const t = lateTexts.publish;
  if (found.value.length === 0) return null;
  return (
    <>
      <h3>{t.sources}</h3>
      <ul class="published-sources">
        {found.value.map(({ data_source_id, name, host, at, problem }) => (
          <li key={data_source_id}>
            <strong>{name || texts.unnamed}</strong> {host === '' ? t.pushed : host}
            <br />
            <span class="hint">{at === null ? t.noAnswer : t.answered(at)}</span>
            {problem !== null && <p class="warning-text">{problem.detail}</p>}
          </li>
        ))}
      </ul>
      <p class="hint">{t.asPublished}</p>
    </>
  );
}
