/** Who is signed in, and what they can do about it: other devices, people, the guide, the end of the session. */

import { useSignal } from '@preact/signals';
import { texts } from '../console-texts.ts';
import { controlsOf } from '../controls.ts';
import { Lazy } from '../lazy.tsx';
import { type ConsoleSession, signOut } from '../server/console-session.ts';
import { serverRoot } from '../server/server-root.ts';
import { Menu } from '../ui/menu.tsx';
import { PersonFace } from './person-face.tsx';

/** Dialogs that the menu opens. */
type DialogName = 'DevicePanel' | 'OwnPanel' | 'PeoplePanel';

const loaders = {
  DevicePanel: () => import('./people-module.ts').then((module) => module.DevicePanel),
  OwnPanel: () => import('./people-module.ts').then((module) => module.OwnPanel),
  PeoplePanel: () => import('./people-module.ts').then((module) => module.PeoplePanel),
};

export function AccountMenu({ session }: { readonly session: ConsoleSession }) {
  const { account, person, label, expires } = session;
  const { canInvite, canWrite } = controlsOf(session);
  const shown = useSignal<DialogName | undefined>(undefined);
  const t = texts.account;
  const who = person?.name ?? t.key(label);
  const opens = (text: string, name: DialogName) => ({
    label: text,
    onChoose: () => {
      shown.value = name;
    },
  });
  return (
    <div class="account">
      {person === null && !canWrite && (
        <span class="badge" title={t.readOnlyHint}>
          {t.readOnly}
        </span>
      )}
      <Menu
        label={t.menu(who)}
        face={<PersonFace name={who} color={person?.color ?? ''} />}
        head={
          <p class="hint">
            <strong>{who}</strong>
            {person !== null && ` · ${t.roles[person.role]}`}
            <br />
            {t.of(account)}
            {person === null && expires !== null && (
              <>
                <br />
                {t.until(expires)}
              </>
            )}
          </p>
        }
        items={[
          ...(person === null ? [] : [opens(t.otherDevice, 'DevicePanel'), opens(t.devices, 'OwnPanel')]),
          ...(canInvite ? [opens(t.people, 'PeoplePanel')] : []),
          { label: t.guide, onChoose: () => void window.open(`${serverRoot()}docs/guide`, '_blank', 'noopener') },
          { label: t.signOut, onChoose: () => void signOut() },
        ]}
      />
      {shown.value !== undefined && (
        <Lazy
          key={shown.value}
          load={loaders[shown.value]}
          props={{
            session,
            onClose: () => {
              shown.value = undefined;
            },
          }}
        />
      )}
    </div>
  );
}
