/** A question before something that cannot be undone. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { Button } from './button.tsx';

export function Confirm(props: {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly onDecide: (yes: boolean) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={() => props.onDecide(dialog.current?.returnValue === 'yes')}>
      <h2 id="confirm-title">{props.title}</h2>
      <p>{props.text}</p>
      <div class="row end">
        <Button label={texts.cancel} autofocus onClick={() => dialog.current?.close('no')} />
        <Button label={props.action} class="danger" onClick={() => dialog.current?.close('yes')} />
      </div>
    </dialog>
  );
}
