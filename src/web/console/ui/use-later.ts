/** A part of the page that is loaded when it is first shown. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The module, once it is loaded. @param onFailure called if it cannot be loaded */
export function useLater<T>(load: () => Promise<T>, onFailure: () => void): T | undefined {
  const loaded = useSignal<T | undefined>(undefined);
  useEffect(() => {
    let isHere = true;
    load().then(
      (module) => {
        if (isHere) loaded.value = module;
      },
      () => {
        if (isHere) onFailure();
      },
    );
    return () => {
      isHere = false;
    };
  }, []);
  return loaded.value;
}
