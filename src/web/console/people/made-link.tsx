/** The address of a new invitation, which gets the focus: it is shown only now. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { lateTexts } from '../late-texts.ts';
import { LocalAddress } from '../server/local-address.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import type { MadeLink } from './people-list.ts';

export function MadeInvitation({ made: { name, address, expires } }: { readonly made: MadeLink }) {
  const section = useRef<HTMLElement>(null);
  const t = lateTexts.people;
  useLayoutEffect(() => {
    section.current?.focus();
    section.current?.scrollIntoView({ block: 'nearest' });
  }, [address]);
  return (
    <section ref={section} class="made-link" tabIndex={-1} aria-label={t.address(name)}>
      <p>{t.made(name, expires)}</p>
      <CopyText title={t.address(name)} text={address} />
      <LocalAddress address={address} />
    </section>
  );
}
