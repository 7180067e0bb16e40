/** A form for a sign-in link, and the address that it gives once. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';
import type { ConsoleSession } from '../server/console-session.ts';
import { LocalAddress } from '../server/local-address.tsx';
import { Button } from '../ui/button.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { Select } from '../ui/select.tsx';
import { choicesOfExpiry } from './link-expiry.ts';
import type { PeopleList } from './people-list.ts';

/** What is chosen in the form. */
interface Draft {
  readonly label: string;
  readonly access: 'read' | 'write';
  readonly expires: string;
  /** Identifiers; `undefined` for all that the session reaches. */
  readonly projects: readonly string[] | undefined;
}

export function LinkForm({ session, list }: { readonly session: ConsoleSession; readonly list: PeopleList }) {
  const choices = choicesOfExpiry(session.expires, Date.now());
  const preferred = choices.includes('24h') ? '24h' : (choices.at(-1) ?? '24h');
  const draft = useSignal<Draft>({ label: '', access: 'read', expires: preferred, projects: undefined });
  const made = useSignal('');
  const t = lateTexts.people;
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.value, ...change };
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    made.value = '';
    const address = await list.create({ ...draft.value, label: draft.value.label.trim() });
    if (address !== undefined) made.value = address;
  };
  const { label, access, expires, projects } = draft.value;
  return (
    <form class="link-form" onSubmit={(event) => void submit(event)}>
      <p class="hint">{t.intro}</p>
      <label for="link-label">{t.label}</label>
      <input
        id="link-label"
        autocomplete="off"
        maxLength={100}
        placeholder={t.labelExample}
        value={label}
        onInput={(event) => set({ label: event.currentTarget.value })}
      />
      <label for="link-access">{t.access}</label>
      <Select
        id="link-access"
        value={access}
        options={[
          ['read', t.mayRead],
          ['write', t.mayWrite],
        ]}
        onChoose={(chosen) => set({ access: chosen })}
      />
      <label for="link-expires">{t.works}</label>
      <Select
        id="link-expires"
        value={expires}
        options={choices.map((choice) => [choice, t.expiry(choice)])}
        onChoose={(chosen) => set({ expires: chosen })}
      />
      <ProjectChoice list={list} chosen={projects} isAll={session.projects === null} onChoose={(ids) => set({ projects: ids })} />
      <p>
        <Button label={t.create} type="submit" class="primary" disabled={list.busy.value || projects?.length === 0} />
      </p>
      {made.value !== '' && <Made address={made.value} />}
    </form>
  );
}

/** The address of a new link, which gets the focus: it is shown only now. */
function Made({ address }: { readonly address: string }) {
  const section = useRef<HTMLElement>(null);
  const t = lateTexts.people;
  useEffect(() => {
    section.current?.focus();
    section.current?.scrollIntoView({ block: 'nearest' });
  }, [address]);
  return (
    <section ref={section} class="made-link" tabIndex={-1} aria-label={t.made}>
      <p>{t.made}</p>
      <CopyText title={t.address} text={address} />
      <LocalAddress address={address} />
    </section>
  );
}

function ProjectChoice(props: {
  readonly list: PeopleList;
  readonly chosen: readonly string[] | undefined;
  /** Whether the session reaches all projects of the account. */
  readonly isAll: boolean;
  readonly onChoose: (ids: readonly string[] | undefined) => void;
}) {
  const { list, chosen, isAll, onChoose } = props;
  const t = lateTexts.people;
  const projects = [...(list.projects.value ?? [])];
  return (
    <fieldset>
      <legend>{t.projects}</legend>
      {[false, true].map((isSome) => (
        <label key={String(isSome)}>
          <input
            type="radio"
            name="link-projects"
            checked={(chosen !== undefined) === isSome}
            onChange={() => onChoose(isSome ? [] : undefined)}
          />{' '}
          {isSome ? t.someProjects : isAll ? t.allProjects : t.sameProjects}
        </label>
      ))}
      {chosen !== undefined && (
        <fieldset class="project-choice" aria-label={t.someProjects}>
          {projects.map(([id, name]) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={(event) =>
                  onChoose(event.currentTarget.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
                }
              />{' '}
              {name || texts.unnamed}
            </label>
          ))}
        </fieldset>
      )}
    </fieldset>
  );
}
