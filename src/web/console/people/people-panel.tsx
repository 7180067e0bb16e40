/** The people of the account, for its owners: invite, change, remove and erase them, and end their sessions. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';
import type { ConsoleSession } from '../server/console-session.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Panel } from '../ui/panel.tsx';
import { Problem } from '../ui/problem.tsx';
import { MadeInvitation } from './made-link.tsx';
import { type MadeLink, PeopleList, type Person } from './people-list.ts';
import { PersonForm } from './person-form.tsx';
import { type PersonAction, PersonRow } from './person-row.tsx';
import { useRefresh } from './use-refresh.ts';

/** Actions that ask first. */
type Question = { readonly person: Person; readonly action: Exclude<PersonAction, 'change' | 'devices'> };

export function PeoplePanel({ session, onClose }: { readonly session: ConsoleSession; readonly onClose: () => void }) {
  const list = useMemo(() => new PeopleList(session), [session.id]);
  const isInviting = useSignal(false);
  const made = useSignal<MadeLink | undefined>(undefined);
  const question = useSignal<Question | undefined>(undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => void list.load(), [list]);
  useRefresh(list);
  const t = lateTexts.people;
  const people = list.people.value;
  const removed = people?.filter((person) => person.removed !== null) ?? [];
  const invite = async (id: string) => {
    made.value = (await list.invite(id)) ?? made.value;
  };
  const decide = async ({ person, action }: Question) => {
    if (action === 'invite') await invite(person.id);
    // Rows that go away take the focus with them.
    else if (await list.remove(person.id, action === 'erase')) heading.current?.focus();
  };
  const rowProps = {
    list,
    onAct: (person: Person, action: Question['action']) => {
      if (action === 'invite' && person.invited === null) void invite(person.id);
      else question.value = { person, action };
    },
  };
  return (
    <Panel title={t.title} onClose={onClose}>
      <p class="hint">{t.intro(session.account)}</p>
      <Problem text={list.problem.value} />
      {made.value !== undefined && <MadeInvitation made={made.value} />}
      {isInviting.value ? (
        <PersonForm
          list={list}
          person={undefined}
          onSave={async (wish) => {
            const link = await list.create(wish);
            if (link === undefined) return;
            made.value = link;
            isInviting.value = false;
          }}
          onCancel={() => {
            isInviting.value = false;
          }}
        />
      ) : (
        <p>
          <Button
            icon="plus"
            label={t.invite}
            class="primary"
            onClick={() => {
              made.value = undefined;
              isInviting.value = true;
            }}
          />
        </p>
      )}
      <h3 ref={heading} tabIndex={-1}>
        {t.members}
      </h3>
      {people === undefined && list.problem.value === '' && <p class="hint">{texts.loading}</p>}
      <ul class="people">
        {people
          ?.filter((person) => person.removed === null)
          .map((person) => (
            <PersonRow key={person.id} person={person} {...rowProps} />
          ))}
      </ul>
      {removed.length > 0 && (
        <>
          <h3>{t.removed}</h3>
          <ul class="people">
            {removed.map((person) => (
              <PersonRow key={person.id} person={person} {...rowProps} />
            ))}
          </ul>
        </>
      )}
      {question.value !== undefined && (
        <Confirm
          {...questionTexts(question.value)}
          onDecide={(yes) => {
            const asked = question.value;
            question.value = undefined;
            if (yes && asked !== undefined) void decide(asked);
          }}
        />
      )}
    </Panel>
  );
}

function questionTexts({ person: { name }, action }: Question) {
  const t = lateTexts.people;
  if (action === 'invite') return { title: t.newLinkTitle(name), text: t.newLinkText, action: t.makeLink };
  return action === 'remove'
    ? { title: t.removeTitle(name), text: t.removeText(name), action: t.removeAction }
    : { title: t.eraseTitle(name), text: t.eraseText(name), action: t.eraseAction };
}
