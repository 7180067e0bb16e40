/** The button that leads to the identity provider, with what went wrong below it. */
import { useSignal } from '@preact/signals';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import type { Proof } from './credential.ts';
import { goToProvider } from './ways.ts';

interface ProviderButtonProps {
  readonly label: string;
  /** Default: an ordinary button. */
  readonly class?: string;
  /** The session of a person who signs in with the provider from now on; without one, the button signs in. */
  readonly binds?: Proof;
}

export function ProviderButton({ label, class: name, binds }: ProviderButtonProps) {
  const problem = useSignal('');
  const isBusy = useSignal(false);
  const go = () => {
    isBusy.value = true;
    problem.value = '';
    goToProvider(binds).catch((error: Error) => {
      problem.value = error.message;
      isBusy.value = false;
    });
  };
  return (
    <>
      <Button label={label} {...(name === undefined ? {} : { class: name })} disabled={isBusy.value} onClick={go} />
      <Problem text={problem.value} />
    </>
  );
}
