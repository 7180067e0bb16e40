/** The preview of a project on its card: a picture that the server draws. It is requested when the card comes into view. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ListedPublication } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import type { ConsoleSession } from '../server/console-session.ts';
import { serverRoot } from '../server/server-root.ts';

const widthPx = 480;

/** The address of the picture in this page; '' if there is none. */
async function find({ client, key }: ConsoleSession, id: string, signal: AbortSignal): Promise<string> {
  const [artboard] = await client.get('/projects/{project_id}/artboards', {
    params: { path: { project_id: id }, query: { fields: 'name', limit: 1 } },
    signal,
  });
  if (artboard === undefined) return '';
  const path = `projects/${encodeURIComponent(id)}/artboards/${encodeURIComponent(artboard.id)}/preview.svg?width=${widthPx}`;
  const drawn = await fetch(`${serverRoot()}api/v1/${path}`, {
    headers: { Authorization: `Bearer ${key}` },
    credentials: 'omit',
    signal,
  });
  return drawn.ok ? URL.createObjectURL(await drawn.blob()) : '';
}

interface PreviewProps {
  readonly session: ConsoleSession;
  readonly id: string;
  /** `undefined` for a project that is not public. */
  readonly publication: ListedPublication | undefined;
}

export function Preview({ session, id, publication }: PreviewProps) {
  const frame = useRef<HTMLDivElement>(null);
  const picture = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const controller = new AbortController();
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      find(session, id, controller.signal).then(
        (value) => {
          if (controller.signal.aborted) URL.revokeObjectURL(value);
          else picture.value = value;
        },
        () => undefined,
      );
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      controller.abort();
      if (picture.peek()) URL.revokeObjectURL(picture.peek() as string);
    };
  }, [session, id]);
  const state = publication?.stale === true ? 'stale' : 'published';
  return (
    <div class="preview" ref={frame}>
      {!picture.value ? (
        <span class="no-preview" aria-hidden="true">
          {picture.value === undefined ? '' : texts.cards.noPreview}
        </span>
      ) : (
        <img src={picture.value} alt="" />
      )}
      {publication !== undefined && <span class={`badge ${state}`}>{texts.cards[state]}</span>}
    </div>
  );
}
