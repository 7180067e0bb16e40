/** The picture of a project on its card, and whether it is public. Both are requested when the card comes into view. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { lateTexts } from '../late-texts.ts';
import { type CardPicture, cardPicture } from './card-picture.ts';
import type { ProjectList } from './project-list.ts';

export function Preview({ list, id }: { readonly list: ProjectList; readonly id: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const picture = useSignal<CardPicture | undefined>(undefined);
  const isInView = useSignal(false);
  const t = lateTexts.cards;
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const controller = new AbortController();
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      isInView.value = true;
      cardPicture(list.session, id, controller.signal).then(
        (found) => {
          if (controller.signal.aborted) URL.revokeObjectURL(found.url);
          else {
            picture.value = found;
            const { tiles } = found;
            if (tiles !== undefined) list.shownTiles.value = new Map(list.shownTiles.value).set(tiles.url, tiles);
          }
        },
        () => undefined,
      );
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      controller.abort();
      if (picture.peek()?.url) URL.revokeObjectURL(picture.peek()?.url as string);
    };
  }, [list, id]);
  const publication = list.publications.value.get(id);
  const isStale = publication?.stale === true;
  // Of a project that has changed, the server says only one by one whether the change is public.
  useEffect(() => {
    if (isInView.value && isStale) void list.askChanged(id);
  }, [isInView.value, publication]);
  const state = isStale && list.changed.value.get(id) === true ? 'stale' : 'published';
  const found = picture.value;
  return (
    <div class="preview" ref={frame}>
      {found?.below !== undefined && <div class="below" ref={(element) => element?.replaceChildren(found.below as Node)} />}
      {!found?.url ? (
        <span class="no-preview" aria-hidden="true">
          {found === undefined ? '' : t.noPreview}
        </span>
      ) : (
        <img src={found.url} alt="" />
      )}
      {publication !== undefined && <span class={`badge ${state}`}>{t[state]}</span>}
    </div>
  );
}
