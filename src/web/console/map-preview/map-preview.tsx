/** The map as visitors see it, in a sandboxed frame that follows what is edited. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ProjectDocument } from '../editor/project-document.ts';
import { lateTexts } from '../late-texts.ts';
import { serverRoot } from '../server/server-root.ts';
import { Tabs, tabOf } from '../ui/tabs.tsx';
import { PreviewSession } from './preview-session.ts';

const sizes = ['computer', 'phone'] as const;

export function MapPreview({ document }: { readonly document: ProjectDocument }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const size = useSignal<(typeof sizes)[number]>('computer');
  useEffect(() => {
    const session = new PreviewSession(document, frame.current as HTMLIFrameElement);
    return () => session.end();
  }, [document]);
  const t = lateTexts.mapPreview;
  return (
    <section class="map-preview" aria-label={t.title}>
      <Tabs label={t.title} tabs={sizes.map((each) => [each, t.size[each]])} {...tabOf(size)}>
        <iframe
          ref={frame}
          class={`preview-frame ${size.value}`}
          title={t.title}
          sandbox="allow-scripts"
          src={`${serverRoot()}console/preview`}
        />
        <p class="hint">{t.about}</p>
      </Tabs>
    </section>
  );
}
