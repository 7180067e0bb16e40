/** A page above the editor, with a title and a way back. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { IconButton } from './icons.tsx';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  /** Takes files that are dropped on it. */
  readonly onFiles?: (files: readonly File[]) => void;
  readonly children: ComponentChildren;
}

export function Panel(props: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  // One panel may lie above another.
  const titleId = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="panel"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onDragOver={(event) => {
        if (props.onFiles !== undefined && event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
      }}
      onDrop={(event) => {
        if (props.onFiles === undefined || event.dataTransfer === null) return;
        event.preventDefault();
        props.onFiles([...event.dataTransfer.files]);
      }}
    >
      <div class="panel-head">
        <h2 id={titleId}>{props.title}</h2>
        <IconButton icon="close" label={texts.close} onClick={props.onClose} />
      </div>
      <div class="panel-body">{props.children}</div>
    </dialog>
  );
}
