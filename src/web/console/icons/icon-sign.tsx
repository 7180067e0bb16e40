/** The icon of an object or a category, as small as text. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isIconName } from '../../../lib/draw/public-map.ts';
import { loadedAddress } from '../server/server-root.ts';
import { loadSets, type SetIcon } from './icon-file.ts';

export function SetPicture({ icon }: { readonly icon: SetIcon }) {
  return (
    <svg class="icon-sign" viewBox={`0 0 ${icon.size} ${icon.size}`} aria-hidden="true">
      <path d={icon.path} />
    </svg>
  );
}

/** @param address name of an icon, or address of a picture; nothing is shown of one that is neither */
export function IconSign({ address }: { readonly address: string }) {
  const icon = useSignal<SetIcon | undefined>(undefined);
  useEffect(() => {
    let isShown = true;
    icon.value = undefined;
    if (isIconName(address))
      loadSets().then(
        (sets) => {
          if (isShown && Object.hasOwn(sets, address)) icon.value = sets[address];
        },
        () => undefined,
      );
    return () => {
      isShown = false;
    };
  }, [address]);
  if (icon.value !== undefined) return <SetPicture icon={icon.value} />;
  if (!/^(?:data:image\/|\/f\/|https?:)/.test(address)) return <span class="icon-sign" aria-hidden="true" />;
  return <img key={address} class="icon-sign" src={loadedAddress(address)} alt="" />;
}
