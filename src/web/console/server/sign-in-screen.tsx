/** Sign-in: a field for a link or a key, and the command that makes a link. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { Button } from '../ui/button.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { Logo } from '../ui/icons.tsx';
import { Problem } from '../ui/problem.tsx';
import { signInWith, signOutHere } from './console-session.ts';

export function SignInScreen({ why }: { readonly why: string }) {
  return (
    <main class="sign-in">
      <div class="card-box">
        <h1>
          <Logo /> {texts.name}
        </h1>
        {why !== '' && (
          <p role="alert" class="notice">
            {why}
          </p>
        )}
        <h2>{texts.signIn.title}</h2>
        <SignInForm />
      </div>
    </main>
  );
}

/** Above a page with changes that are not saved, whose key the server refuses. @param why the server's reason */
export function SignInAgain({ why }: { readonly why: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const t = texts.signIn;
  return (
    <dialog ref={dialog} aria-labelledby="again-title" onCancel={(event) => event.preventDefault()}>
      <h2 id="again-title">{t.again}</h2>
      <p role="alert" class="notice">
        {why} {t.kept}
      </p>
      <SignInForm />
      <div class="row end">
        <Button label={t.leave} class="danger" onClick={() => signOutHere(why)} />
      </div>
    </dialog>
  );
}

/** Whether the browser is on the machine of the server, where its commands are. */
const isOwnServer = (): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);

function SignInForm() {
  const key = useSignal('');
  const problem = useSignal('');
  const busy = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    busy.value = true;
    problem.value = '';
    try {
      await signInWith(key.value);
    } catch (error) {
      problem.value = (error as Error).message;
    } finally {
      busy.value = false;
    }
  };
  const t = texts.signIn;
  return (
    <>
      <p>{t.how}</p>
      <form onSubmit={(event) => void submit(event)}>
        <label for="key">{t.orKey}</label>
        <div class="row">
          <input
            id="key"
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={key.value}
            placeholder="mw_…"
            aria-describedby="key-help"
            aria-invalid={problem.value !== ''}
            onInput={(event) => {
              key.value = event.currentTarget.value;
            }}
          />
          <Button label={t.submit} type="submit" class="primary" disabled={busy.value || key.value.trim() === ''} />
        </div>
        <p id="key-help" class="hint">
          {t.keyStays}
        </p>
        <Problem text={problem.value} />
      </form>
      <details open={isOwnServer()}>
        <summary>{t.ownServer}</summary>
        <p>{t.inTerminal}</p>
        <CopyText text={t.command} />
      </details>
    </>
  );
}
