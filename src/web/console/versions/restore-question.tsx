/** Asks before a version is restored, restores it, and says what came of it. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ProjectVersion } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';

export function RestoreQuestion(props: {
  readonly document: ProjectDocument;
  readonly version: ProjectVersion;
  readonly onEnd: (isRestored: boolean) => void;
}) {
  const { document, version, onEnd } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const isBusy = useSignal(false);
  const problem = useSignal('');
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const notice = document.edits.notices.current.value;
  const shown = problem.value === '' && isBusy.value && notice?.isProblem === true ? notice.text : problem.value;
  const t = lateTexts.versions;
  const name = t.nameOf(version);
  const restore = async () => {
    isBusy.value = true;
    problem.value = await document.edits.restore(version.id, (project) => document.connection.take(project));
    isBusy.value = false;
    if (problem.value !== '') return;
    document.edits.notices.say(t.restored(name));
    onEnd(true);
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="restore-title"
      onCancel={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (!isBusy.value) onEnd(false);
      }}
    >
      <h2 id="restore-title">{t.restoreTitle(name)}</h2>
      <p>{t.restoreText(version.created)}</p>
      <Problem text={shown} />
      <div class="row end">
        <Button label={texts.cancel} autofocus disabled={isBusy.value} onClick={() => onEnd(false)} />
        <Button
          label={isBusy.value ? t.restoring : t.restore}
          class="primary"
          disabled={isBusy.value}
          onClick={() => void restore()}
        />
      </div>
    </dialog>
  );
}
