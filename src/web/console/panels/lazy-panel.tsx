/** A panel that is loaded when it is shown first. */
import { signal } from '@preact/signals';
import type { ComponentProps, FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';

type Panels = typeof import('./lazy-panels.ts').panels;
const loaded = signal<Panels | undefined>(undefined);

export function LazyPanel<Name extends keyof Panels>(
  props: { readonly name: Name; readonly model: EditorModel } & ComponentProps<Panels[Name]>,
) {
  const { name, ...others } = props;
  useEffect(() => {
    if (loaded.peek() !== undefined) return;
    import('./lazy-panels.ts').then(
      ({ panels }) => {
        loaded.value = panels;
      },
      () => props.model.document.edits.notices.say(texts.saving.failed, true),
    );
  }, []);
  const Panel = loaded.value?.[name] as FunctionComponent<typeof others> | undefined;
  return Panel === undefined ? null : <Panel {...others} />;
}
