/** Who is signed in to the account, and links that let others in. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';
import { type ConsoleSession, signOut } from '../server/console-session.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Panel } from '../ui/panel.tsx';
import { Problem } from '../ui/problem.tsx';
import { LinkForm } from './link-form.tsx';
import { type ListedSession, PeopleList, type SignInLink } from './people-list.ts';

export function PeoplePanel({ session, onClose }: { readonly session: ConsoleSession; readonly onClose: () => void }) {
  const list = useMemo(() => new PeopleList(session), [session]);
  const ending = useSignal<ListedSession | undefined>(undefined);
  // Rows that go away take the focus with them.
  const headings = { links: useRef<HTMLHeadingElement>(null), sessions: useRef<HTMLHeadingElement>(null) };
  const t = lateTexts.people;
  useEffect(() => void list.load(), [list]);
  const end = async (each: ListedSession) => {
    if (each.current) await signOut();
    else if (await list.end('sessions', each.id)) headings.sessions.current?.focus();
  };
  return (
    <Panel title={t.title} onClose={onClose}>
      <Problem text={list.problem.value} />
      {session.access === 'write' && <LinkForm session={session} list={list} />}
      <h3 ref={headings.links} tabIndex={-1}>
        {t.links}
      </h3>
      <Rows
        members={list.links.value}
        none={t.noLinks}
        list={list}
        detailOf={({ expires }) => t.until(expires)}
        action={t.removeLink}
        onAct={async ({ id }) => {
          if (await list.end('links', id)) headings.links.current?.focus();
        }}
      />
      <h3 ref={headings.sessions} tabIndex={-1}>
        {t.sessions}
      </h3>
      <Rows
        members={list.sessions.value}
        none={t.noSessions}
        list={list}
        detailOf={({ created, lastUse, expires }) => t.since(created, lastUse, expires)}
        action={t.endSession}
        onAct={(each) => {
          ending.value = each;
        }}
      />
      {ending.value !== undefined && (
        <Confirm
          title={ending.value.current ? t.endOwnTitle : t.endTitle(ending.value.label || t.noLabel)}
          text={t.endText}
          action={ending.value.current ? texts.account.signOut : t.end}
          onDecide={(yes) => {
            const each = ending.value;
            ending.value = undefined;
            if (yes && each !== undefined) void end(each);
          }}
        />
      )}
    </Panel>
  );
}

interface RowsProps<Member> {
  /** `undefined` until they are loaded. */
  readonly members: readonly Member[] | undefined;
  readonly none: string;
  readonly list: PeopleList;
  readonly detailOf: (member: Member) => string;
  /** Label of the button of a row. */
  readonly action: (label: string) => string;
  readonly onAct: (member: Member) => unknown;
}

function Rows<Member extends SignInLink & { readonly current?: boolean }>(props: RowsProps<Member>) {
  const { members, list, detailOf, action, onAct } = props;
  const t = lateTexts.people;
  if (members === undefined) return <p class="hint">{texts.loading}</p>;
  if (members.length === 0) return <p class="hint">{props.none}</p>;
  return (
    <ul class="people">
      {members.map((member) => (
        <li key={member.id}>
          <div>
            <strong>{member.label || t.noLabel}</strong> {member.current === true && <span class="badge">{t.thisSession}</span>}
            <p class="hint">
              {t.reach(member.access, namesOf(member, list))}
              <br />
              {detailOf(member)}
            </p>
          </div>
          <Button
            label={member.current === true ? texts.account.signOut : t.end}
            disabled={list.busy.value}
            aria-label={action(member.label || t.noLabel)}
            onClick={() => onAct(member)}
          />
        </li>
      ))}
    </ul>
  );
}

/** Names of the projects of a link or a session; `undefined` for all. */
function namesOf({ projects }: SignInLink, list: PeopleList): readonly string[] | undefined {
  return projects?.map((id) => list.projects.value?.get(id) || texts.unnamed);
}
