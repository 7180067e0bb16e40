/** A person in the list of an account, with what owners do with them. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';
import { Menu } from '../ui/menu.tsx';
import { DeviceRows } from './device-rows.tsx';
import type { PeopleList, Person } from './people-list.ts';
import { PersonFace } from './person-face.tsx';
import { PersonForm } from './person-form.tsx';

export type PersonAction = 'change' | 'invite' | 'devices' | 'remove' | 'erase';

export function PersonRow(props: {
  readonly list: PeopleList;
  readonly person: Person;
  readonly onAct: (person: Person, action: Exclude<PersonAction, 'change' | 'devices'>) => void;
}) {
  const { list, person, onAct } = props;
  const shown = useSignal<'change' | 'devices' | undefined>(undefined);
  const row = useRef<HTMLLIElement>(null);
  const t = lateTexts.people;
  const isMember = person.removed === null;
  const show = (part: 'change' | 'devices') => () => {
    shown.value = shown.value === part ? undefined : part;
    if (shown.value === 'devices') void list.loadDevices();
  };
  const close = () => {
    shown.value = undefined;
    row.current?.querySelector<HTMLElement>('.menu > button')?.focus();
  };
  return (
    <li ref={row}>
      <div class="person">
        <PersonFace name={person.name} color={isMember ? person.color : ''} />
        <div>
          <strong>{person.name}</strong> {person.id === list.session.person?.id && <span class="badge">{t.you}</span>}
          <p class="hint">
            <Facts list={list} person={person} />
          </p>
        </div>
        <Menu
          label={texts.moreFor(person.name)}
          items={[
            ...(isMember
              ? [
                  { label: t.change, onChoose: show('change') },
                  { label: t.newLink, onChoose: () => onAct(person, 'invite') },
                  { label: t.devices, onChoose: show('devices') },
                  { label: t.remove, isDanger: true, onChoose: () => onAct(person, 'remove') },
                ]
              : []),
            { label: t.erase, isDanger: true, onChoose: () => onAct(person, 'erase') },
          ]}
        />
      </div>
      {shown.value === 'change' && (
        <section aria-label={t.changeOf(person.name)}>
          <PersonForm
            list={list}
            person={person}
            onSave={async (wish) => {
              if (await list.change(person.id, wish)) close();
            }}
            onCancel={close}
          />
        </section>
      )}
      {shown.value === 'devices' && (
        <section aria-label={t.devicesOf(person.name)} class="person-devices">
          <DeviceRows
            list={list}
            devices={list.devices.value?.filter((device) => device.person === person.id)}
            onEnded={() => row.current?.querySelector<HTMLElement>('.menu > button')?.focus()}
          />
        </section>
      )}
    </li>
  );
}

/** Role, projects, and when the person was here. */
function Facts({ list, person }: { readonly list: PeopleList; readonly person: Person }) {
  const { role, projects, lastSeen, invited, removed, email, signsInWith } = person;
  const t = lateTexts.people;
  const names = projects?.map((id) => {
    const name = list.projects.value?.get(id);
    return name === undefined ? t.deletedProject : name || texts.unnamed;
  });
  const lines = [
    [texts.account.roles[role], t.reach(names), ...(email === '' ? [] : [email])].join(' · '),
    removed !== null ? t.removedAt(removed) : t.lastSeen(lastSeen),
    ...(invited === null ? [] : [t.invited(invited)]),
    ...(signsInWith.length === 0 ? [] : [t.signsInWith(signsInWith)]),
  ];
  return (
    <>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </>
  );
}
