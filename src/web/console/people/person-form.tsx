/** The form for a new person, and for one that an owner changes. */
import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { type Role, roles } from '../controls.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { HintedField } from '../ui/hinted-field.tsx';
import { Select } from '../ui/select.tsx';
import type { PeopleList, Person, PersonWish } from './people-list.ts';
import { PersonNameField } from './person-name-field.tsx';
import { ProjectChoice } from './project-choice.tsx';

export function PersonForm(props: {
  readonly list: PeopleList;
  /** `undefined` for a new one. */
  readonly person: Person | undefined;
  readonly onSave: (wish: PersonWish) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const { list, person, onSave, onCancel } = props;
  const draft = useSignal<PersonWish>(person ?? { name: '', role: 'viewer', projects: null, email: '' });
  // Several people may be changed at a time.
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const t = lateTexts.people;
  const set = (change: Partial<PersonWish>) => {
    draft.value = { ...draft.value, ...change };
  };
  const { name, role, projects, email, color } = draft.value;
  const isOwner = role === 'owner';
  const submit = (event: Event) => {
    event.preventDefault();
    void onSave({
      ...{ name: name.trim(), role, email: email.trim(), projects: isOwner ? null : projects },
      ...(person !== undefined && color !== undefined && { color }),
    });
  };
  return (
    <form class="person-form" onSubmit={submit}>
      <PersonNameField input={first} value={name} onType={(typed) => set({ name: typed })} />
      <HintedField id={`${id}-role`} label={t.role} hint={t.roleTexts[role]}>
        {(described) => <RoleSelect {...described} role={role} onChoose={(chosen) => set({ role: chosen })} />}
      </HintedField>
      {isOwner ? (
        <p class="hint">{t.ownerReaches}</p>
      ) : (
        <ProjectChoice
          projects={list.projects.value ?? new Map()}
          chosen={projects}
          onChoose={(chosen) => set({ projects: chosen })}
        />
      )}
      <HintedField id={`${id}-email`} label={t.email} hint={t.emailHint}>
        {(described) => (
          <input
            {...described}
            type="email"
            autocomplete="off"
            value={email}
            onInput={(event) => set({ email: event.currentTarget.value })}
          />
        )}
      </HintedField>
      {person !== undefined && <ColorField value={color ?? ''} onChoose={(chosen) => set({ color: chosen })} />}
      <div class="row">
        <Button
          label={person === undefined ? t.sendInvitation : t.save}
          type="submit"
          class="primary"
          disabled={list.busy.value || name.trim() === '' || (!isOwner && projects?.length === 0)}
        />
        <Button label={texts.cancel} onClick={onCancel} />
      </div>
    </form>
  );
}

type SelectProps = Omit<Parameters<typeof Select<Role>>[0], 'value' | 'options'>;

function RoleSelect({ role, ...props }: SelectProps & { readonly role: Role }) {
  return <Select {...props} value={role} options={roles.toReversed().map((each) => [each, texts.account.roles[each]])} />;
}

export function ColorField({ value, onChoose }: { readonly value: string; readonly onChoose: (color: string) => void }) {
  return (
    <label class="row">
      <input type="color" value={value} onChange={(event) => onChoose(event.currentTarget.value)} /> {lateTexts.people.color}
    </label>
  );
}
