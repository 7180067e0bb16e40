/** What people manage about themselves: name, colour, devices, and a provider that they sign in with. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { lateTexts } from '../late-texts.ts';
import type { ConsoleSession, SignedIn } from '../server/console-session.ts';
import { ProviderButton } from '../server/provider-button.tsx';
import { useWays } from '../server/ways.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Panel } from '../ui/panel.tsx';
import { Problem } from '../ui/problem.tsx';
import { DeviceRows } from './device-rows.tsx';
import { PeopleList } from './people-list.ts';
import { ColorField } from './person-form.tsx';
import { PersonNameField } from './person-name-field.tsx';
import { useRefresh } from './use-refresh.ts';

export function OwnPanel({ session, onClose }: { readonly session: ConsoleSession; readonly onClose: () => void }) {
  const list = useMemo(() => new PeopleList(session), [session.id]);
  const heading = useRef<HTMLHeadingElement>(null);
  const isAsking = useSignal(false);
  useEffect(() => void list.loadOwnDevices(), [list]);
  useRefresh(list);
  const { person } = session;
  const devices = list.devices.value;
  const t = lateTexts.ownPanel;
  const focusHeading = () => heading.current?.focus();
  return (
    <Panel title={t.title} onClose={onClose}>
      <Problem text={list.problem.value} />
      {person !== null && <AboutForm list={list} person={person} />}
      <h3 ref={heading} tabIndex={-1}>
        {t.devices}
      </h3>
      <DeviceRows list={list} devices={devices} onEnded={focusHeading} />
      {devices !== undefined && devices.length > 1 && (
        <p>
          <Button
            label={t.endOthers}
            disabled={list.busy.value}
            onClick={() => {
              isAsking.value = true;
            }}
          />
        </p>
      )}
      <Provider session={session} />
      {isAsking.value && (
        <Confirm
          title={t.endOthersTitle}
          text={t.endOthersText}
          action={t.endOthers}
          onDecide={(yes) => {
            isAsking.value = false;
            if (yes) void list.endOthers().then(focusHeading);
          }}
        />
      )}
    </Panel>
  );
}

function AboutForm({ list, person }: { readonly list: PeopleList; readonly person: SignedIn }) {
  const name = useSignal(person.name);
  const color = useSignal(person.color);
  const isSaved = useSignal(false);
  const t = lateTexts.ownPanel;
  const submit = async (event: Event) => {
    event.preventDefault();
    isSaved.value = await list.change(person.id, { name: name.value.trim(), color: color.value });
  };
  const isSame = name.value.trim() === person.name && color.value === person.color;
  return (
    <form class="person-form" onSubmit={(event) => void submit(event)}>
      <p class="hint">{t.role(person.role)}</p>
      <PersonNameField
        value={name.value}
        hint={t.aboutHint}
        onType={(typed) => {
          name.value = typed;
          isSaved.value = false;
        }}
      />
      <ColorField
        value={color.value}
        onChoose={(chosen) => {
          color.value = chosen;
          isSaved.value = false;
        }}
      />
      <div class="row">
        <Button
          label={lateTexts.people.save}
          type="submit"
          class="primary"
          disabled={list.busy.value || isSame || name.value.trim() === ''}
        />
        <span class="hint" role="status">
          {isSaved.value && t.saved}
        </span>
      </div>
    </form>
  );
}

/** A button that binds the identity provider of the server, if it has one. */
function Provider({ session }: { readonly session: ConsoleSession }) {
  const provider = useWays()?.provider ?? null;
  if (provider === null) return null;
  const t = lateTexts.ownPanel;
  return (
    <section class="person-form">
      <p>
        <ProviderButton label={t.bind(provider)} binds={session.proof} />
      </p>
      <p class="hint">{t.bindHint}</p>
    </section>
  );
}
