/** A component that is loaded when it is shown first. */
import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { texts } from './console-texts.ts';
import { Button } from './ui/button.tsx';

interface Props<Of> {
  /** Loads the component. Called again after a failure. */
  readonly load: () => Promise<ComponentType<Of>>;
  readonly props: Of;
}

/** The component, or that it is loading; with a button to try again if that failed. */
export function Lazy<Of extends object>({ load, props }: Props<Of>) {
  const found = useSignal<{ readonly Part: ComponentType<Of> } | 'failed' | undefined>(undefined);
  const start = () => {
    found.value = undefined;
    load().then(
      (Part) => {
        found.value = { Part };
      },
      () => {
        found.value = 'failed';
      },
    );
  };
  useEffect(start, []);
  const { value } = found;
  if (value === 'failed')
    return (
      <p class="problem" role="alert">
        {texts.saving.failed} <Button label={texts.saving.retry} class="link" onClick={start} />
      </p>
    );
  return value === undefined ? <p class="starting">{texts.loading}</p> : <value.Part {...props} />;
}
