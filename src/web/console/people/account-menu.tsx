/** Whose session this is, what it may do, and its end. */

import { useSignal } from '@preact/signals';
import { texts } from '../console-texts.ts';
import { Lazy } from '../lazy.tsx';
import { type ConsoleSession, signOut } from '../server/console-session.ts';
import { serverRoot } from '../server/server-root.ts';
import { Menu } from '../ui/menu.tsx';

const loadPeople = () => import('./people-panel.tsx').then(({ PeoplePanel }) => PeoplePanel);

export function AccountMenu({ session }: { readonly session: ConsoleSession }) {
  const { account, access, expires } = session;
  const isOpen = useSignal(false);
  const t = texts.account;
  return (
    <div class="account">
      {access === 'read' && (
        <span class="badge" title={t.readOnlyHint}>
          {t.readOnly}
        </span>
      )}
      <Menu
        label={t.signedInAs(account)}
        face={<span class="avatar">{account.slice(0, 1).toLocaleUpperCase()}</span>}
        head={
          <p class="hint">
            {t.signedInAs(account)}
            {expires !== null && (
              <>
                <br />
                {t.until(expires)}
              </>
            )}
          </p>
        }
        items={[
          {
            label: t.people,
            onChoose: () => {
              isOpen.value = true;
            },
          },
          { label: t.guide, onChoose: () => void window.open(`${serverRoot()}docs/guide`, '_blank', 'noopener') },
          { label: t.signOut, onChoose: () => void signOut() },
        ]}
      />
      {isOpen.value && (
        <Lazy
          load={loadPeople}
          props={{
            session,
            onClose: () => {
              isOpen.value = false;
            },
          }}
        />
      )}
    </div>
  );
}
