/** Says that an address opens on this machine only, before a user sends it to others. */
import { texts } from '../console-texts.ts';
import { isLocal } from './is-local.ts';

export function LocalAddress({ address }: { readonly address: string }) {
  if (!isLocal(address)) return null;
  return (
    <p class="warning-text" role="note">
      {texts.localAddress(new URL(address).host)}
    </p>
  );
}
