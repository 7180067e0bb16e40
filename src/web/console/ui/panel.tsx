/** A page above the editor, with a title and a way back. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { Icon } from './icons.tsx';

export function Panel(props: { readonly title: string; readonly onClose: () => void; readonly children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="panel"
      aria-labelledby="panel-title"
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
    >
      <div class="panel-head">
        <h2 id="panel-title">{props.title}</h2>
        <button type="button" class="quiet" aria-label={texts.close} title={texts.close} onClick={props.onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div class="panel-body">{props.children}</div>
    </dialog>
  );
}
