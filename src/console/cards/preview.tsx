/** The preview of a project on its card: a picture that the server draws. It is requested when the card comes into view. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { askPublication } from '../publish/ask-publication.ts';
import type { ConsoleSession } from '../server/console-session.ts';
import { serverRoot } from '../server/server-root.ts';

const widthPx = 480;

interface Found {
  /** Address of the picture in this page; '' if there is none. */
  readonly picture: string;
  /** Whether the project is public, and whether it has changed since. */
  readonly published?: 'published' | 'stale';
}

async function find({ client, key }: ConsoleSession, id: string, signal: AbortSignal): Promise<Found> {
  const path = { project_id: id };
  const ask = (below: string): Promise<Response> =>
    fetch(`${serverRoot()}api/v1/projects/${encodeURIComponent(id)}${below}`, {
      headers: { Authorization: `Bearer ${key}` },
      credentials: 'omit',
      signal,
    });
  const first = await client.get('/projects/{project_id}/artboards', {
    params: { path, query: { fields: 'name', limit: 1 } },
    signal,
  });
  const [artboard] = first;
  const [drawn, publication] = await Promise.all([
    artboard === undefined ? undefined : ask(`/artboards/${encodeURIComponent(artboard.id)}/preview.svg?width=${widthPx}`),
    askPublication(client, id, 'GET'),
  ]);
  const picture = drawn?.ok === true ? URL.createObjectURL(await drawn.blob()) : '';
  return publication === 'none' ? { picture } : { picture, published: publication.stale ? 'stale' : 'published' };
}

export function Preview({ session, id }: { readonly session: ConsoleSession; readonly id: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const found = useSignal<Found | undefined>(undefined);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const controller = new AbortController();
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      find(session, id, controller.signal).then(
        (value) => {
          if (controller.signal.aborted) URL.revokeObjectURL(value.picture);
          else found.value = value;
        },
        () => undefined,
      );
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      controller.abort();
      if (found.peek()?.picture) URL.revokeObjectURL(found.peek()?.picture as string);
    };
  }, [session, id]);
  const { picture = '', published } = found.value ?? {};
  return (
    <div class="preview" ref={frame}>
      {picture === '' ? (
        <span class="no-preview" aria-hidden="true">
          {found.value === undefined ? '' : texts.cards.noPreview}
        </span>
      ) : (
        <img src={picture} alt="" />
      )}
      {published !== undefined && <span class={`badge ${published}`}>{texts.cards[published]}</span>}
    </div>
  );
}
