/** Whose session this is, what it may do, and its end. */

import { texts } from '../console-texts.ts';
import { Menu } from '../ui/menu.tsx';
import { type ConsoleSession, signOut } from './console-session.ts';

export function AccountMenu({ session }: { readonly session: ConsoleSession }) {
  const { account, access, expires } = session;
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
        items={[{ label: t.signOut, onChoose: () => void signOut() }]}
      />
    </div>
  );
}
