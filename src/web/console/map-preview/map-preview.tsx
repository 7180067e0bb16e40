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
  const size = useSignal<(typeof sizes)[number]>('computer');
  const t = lateTexts.mapPreview;
  return (
    <section class="map-preview" aria-label={t.title}>
      <Tabs label={t.title} tabs={sizes.map((each) => [each, t.size[each]])} {...tabOf(size)}>
        <PreviewFrame document={document} title={t.title} class={size.value} />
        <p class="hint">{t.about}</p>
      </Tabs>
    </section>
  );
}

interface FrameProps {
  readonly document: ProjectDocument;
  readonly title: string;
  readonly class: string;
}

export function PreviewFrame({ document, title, class: name }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const session = new PreviewSession(document, frame.current as HTMLIFrameElement);
    return () => session.end();
  }, [document]);
  return (
    <iframe
      ref={frame}
      class={`preview-frame ${name}`}
      title={title}
      sandbox="allow-scripts"
      src={`${serverRoot()}console/preview`}
    />
  );
}
