/** Invites somebody to one project, and lets people of the account see it. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';
import type { ConsoleSession } from '../server/console-session.ts';
import { Button } from '../ui/button.tsx';
import { HintedField } from '../ui/hinted-field.tsx';
import { Panel } from '../ui/panel.tsx';
import { Problem } from '../ui/problem.tsx';
import { Select } from '../ui/select.tsx';
import { MadeInvitation } from './made-link.tsx';
import { type MadeLink, PeopleList, type Person } from './people-list.ts';
import { PersonFace } from './person-face.tsx';
import { PersonNameField } from './person-name-field.tsx';
import { useRefresh } from './use-refresh.ts';

const guestRoles = ['viewer', 'editor'] as const;

interface Props {
  readonly session: ConsoleSession;
  readonly project: string;
  /** Of the project. */
  readonly name: string;
  readonly onClose: () => void;
}

export function SharePanel({ session, project, name, onClose }: Props) {
  const list = useMemo(() => new PeopleList(session), [session.id]);
  const made = useSignal<MadeLink | undefined>(undefined);
  useEffect(() => void list.load(), [list]);
  useRefresh(list);
  const t = lateTexts.share;
  return (
    <Panel title={t.title} onClose={onClose}>
      <p>{t.intro(name)}</p>
      <Problem text={list.problem.value} />
      <InviteForm list={list} project={project} onMade={(link) => (made.value = link)} />
      {made.value !== undefined && <MadeInvitation made={made.value} />}
      <p class="hint">{t.isPublic}</p>
      <Members list={list} project={project} />
    </Panel>
  );
}

function InviteForm(props: { readonly list: PeopleList; readonly project: string; readonly onMade: (link: MadeLink) => void }) {
  const { list, project, onMade } = props;
  const name = useSignal('');
  const role = useSignal<(typeof guestRoles)[number]>('viewer');
  /** Somebody of this name, whom the user may mean. */
  const known = useSignal<Person | undefined>(undefined);
  const t = lateTexts.share;
  const clear = () => {
    known.value = undefined;
    name.value = '';
  };
  const create = async () => {
    const link = await list.create({ name: name.value.trim(), role: role.value, projects: [project], email: '' });
    if (link === undefined) return;
    clear();
    onMade(link);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    known.value = list.people.value?.find((person) => person.removed === null && isNamed(person, name.value));
    if (known.value === undefined) void create();
  };
  return (
    <form class="person-form" onSubmit={submit}>
      <PersonNameField
        value={name.value}
        onType={(typed) => {
          name.value = typed;
          known.value = undefined;
        }}
      />
      <HintedField id="guest-role" label={t.role} hint={lateTexts.people.roleTexts[role.value]}>
        {(described) => (
          <Select
            {...described}
            value={role.value}
            options={guestRoles.map((each) => [each, t.roles[each]])}
            onChoose={(chosen) => {
              role.value = chosen;
            }}
          />
        )}
      </HintedField>
      <p>
        <Button label={t.invite} type="submit" class="primary" disabled={list.busy.value || name.value.trim() === ''} />
      </p>
      {known.value !== undefined && (
        <Known
          key={known.value.id}
          {...{ list, project, onMade }}
          person={known.value}
          onDone={clear}
          onAnother={() => void create()}
        />
      )}
    </form>
  );
}

const isNamed = (person: Person, name: string): boolean =>
  person.name.localeCompare(name.trim(), undefined, { sensitivity: 'accent' }) === 0;

const seesProject = ({ projects }: Person, project: string): boolean => projects === null || projects.includes(project);

/** Somebody who has the name that was typed: most often the user means them. */
function Known(props: {
  readonly list: PeopleList;
  readonly project: string;
  readonly person: Person;
  readonly onMade: (link: MadeLink) => void;
  readonly onDone: () => void;
  readonly onAnother: () => void;
}) {
  const { list, project, person, onMade, onDone, onAnother } = props;
  const { id, name, role, email, lastSeen, projects } = person;
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => section.current?.focus(), []);
  const t = lateTexts.share;
  const facts = [texts.account.roles[role], ...(email === '' ? [] : [email]), lateTexts.people.lastSeen(lastSeen)].join(', ');
  const give = async () => seesProject(person, project) || (await list.change(id, { projects: [...(projects ?? []), project] }));
  const link = async () => {
    const made = (await give()) ? await list.invite(id) : undefined;
    if (made === undefined) return;
    onDone();
    onMade(made);
  };
  return (
    <section ref={section} class="made-link" tabIndex={-1} aria-label={t.known(name, facts)}>
      <p>{t.known(name, facts)}</p>
      <p class="row">
        {!seesProject(person, project) && (
          <Button label={t.give(name)} disabled={list.busy.value} onClick={() => void give().then((done) => done && onDone())} />
        )}
        <Button label={lateTexts.people.newLink} disabled={list.busy.value} onClick={() => void link()} />
        <Button label={t.another} disabled={list.busy.value} onClick={onAnother} />
      </p>
      <p class="hint">{lateTexts.people.newLinkText}</p>
    </section>
  );
}

/** Who sees the project, and who else could. */
function Members({ list, project }: { readonly list: PeopleList; readonly project: string }) {
  const said = useSignal('');
  const heading = useRef<HTMLHeadingElement>(null);
  const people = list.people.value?.filter(({ removed }) => removed === null);
  const t = lateTexts.share;
  if (people === undefined) return list.problem.value === '' ? <p class="hint">{texts.loading}</p> : null;
  const sees = (person: Person) => seesProject(person, project);
  const others = people.filter((person) => !sees(person));
  const add = async ({ id, name, projects }: Person) => {
    if (!(await list.change(id, { projects: [...(projects ?? []), project] }))) return;
    said.value = t.added(name);
    heading.current?.focus();
  };
  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        {t.reached}
      </h3>
      <p class={said.value === '' ? 'sr-only' : 'hint'} role="status">
        {said.value}
      </p>
      <ul class="people">
        {people.filter(sees).map((person) => (
          <MemberRow key={person.id} person={person} />
        ))}
      </ul>
      {others.length > 0 && (
        <>
          <h3>{t.others}</h3>
          <ul class="people">
            {others.map((person) => (
              <MemberRow
                key={person.id}
                person={person}
                action={
                  <Button
                    label={t.addShort}
                    aria-label={t.add(person.name)}
                    disabled={list.busy.value}
                    onClick={() => void add(person)}
                  />
                }
              />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function MemberRow({ person, action }: { readonly person: Person; readonly action?: ComponentChildren }) {
  const { name, color, role, invited } = person;
  return (
    <li>
      <div class="person">
        <PersonFace name={name} color={color} />
        <div>
          <strong>{name}</strong>
          <p class="hint">
            <span>{texts.account.roles[role]}</span>
            {invited !== null && <span>{lateTexts.people.invited(invited)}</span>}
          </p>
        </div>
        {action}
      </div>
    </li>
  );
}
