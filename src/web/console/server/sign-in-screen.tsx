/** Sign-in: a field for an invitation or a key, and the other ways that this server has. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { Logo } from '../ui/icons.tsx';
import { Problem } from '../ui/problem.tsx';
import { signInWith, signOutHere } from './console-session.ts';
import { ProviderButton } from './provider-button.tsx';
import { commandFor } from './shell-command.ts';
import { useWays } from './ways.ts';

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
        <h2>{lateTexts.signIn.title}</h2>
        <SignInWays />
      </div>
    </main>
  );
}

/** Above a page with changes that are not saved, whose session the server refuses. @param why the server's reason */
export function SignInAgain({ why }: { readonly why: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const t = lateTexts.signIn;
  return (
    <dialog ref={dialog} aria-labelledby="again-title" onCancel={(event) => event.preventDefault()}>
      <div class="sign-in-again">
        <h2 id="again-title">{t.again}</h2>
        <p role="alert" class="notice">
          {why} {t.kept}
        </p>
        <SignInForm />
        <div class="row end">
          <Button label={t.leave} class="danger" onClick={() => signOutHere(why)} />
        </div>
      </div>
    </dialog>
  );
}

/** The form, and what else this server offers, when it has said that. */
function SignInWays() {
  const ways = useWays();
  const { dataFolder = null, provider = null } = ways ?? {};
  const t = lateTexts.signIn;
  return (
    <>
      {provider !== null && <ProviderButton label={t.provider(provider)} class="primary" />}
      <SignInForm />
      {ways !== undefined && dataFolder === null && <p class="hint">{t.none}</p>}
      {dataFolder !== null && (
        <section aria-label={t.ownServer}>
          <h3>{t.ownServer}</h3>
          <p>{t.inTerminal}</p>
          <CopyText text={commandFor(dataFolder)} />
        </section>
      )}
    </>
  );
}

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
  const t = lateTexts.signIn;
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
            placeholder="https://…/console#code=…"
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
    </>
  );
}
