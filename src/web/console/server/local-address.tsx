/** Says that an address opens only on this machine, or in this network, before a user sends it to others. */
import { lateTexts } from '../late-texts.ts';
import { reachOf } from './is-local.ts';

export function LocalAddress({ address }: { readonly address: string }) {
  const reach = reachOf(address);
  if (reach === 'public') return null;
  return (
    <p class="warning-text" role="note">
      {lateTexts.localAddress(new URL(address).host, reach)}
    </p>
  );
}
