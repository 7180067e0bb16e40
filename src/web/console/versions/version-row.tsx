/** A version in the history: when, what, by whom, how much changed, and what can be done with it. */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ProjectVersion } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { NameField } from '../ui/name-field.tsx';

interface Props {
  readonly version: ProjectVersion;
  /** What changed since the version before, in words; '' if it is not known. */
  readonly changes: string;
  readonly canWrite: boolean;
  /** Whether the key may create projects. */
  readonly canCreate: boolean;
  /** Whether it was on the screen last, and gets the focus. */
  readonly isReturnedTo: boolean;
  readonly onSeen: () => void;
  readonly onLook: (isCompared: boolean) => void;
  readonly onRestore: () => void;
  readonly onRename: (name: string) => void;
  readonly onCopy: () => void;
  readonly onRemove: () => void;
}

export function VersionRow(props: Props) {
  const { version, changes, onSeen } = props;
  const isNaming = useSignal(false);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const element = row.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [changes]);
  const endNaming = (newName: string) => {
    isNaming.value = false;
    if (newName !== '' && newName !== lateTexts.versions.shownName(version)) props.onRename(newName);
    // The button is back after the next render.
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('.menu button')?.focus());
  };
  return (
    <li class="version-row" ref={row}>
      <time class="version-time" dateTime={version.created}>
        {lateTexts.versions.hour(version.created)}
      </time>
      <About version={version} changes={changes} onNamed={isNaming.value ? endNaming : undefined} />
      <Actions
        {...props}
        onName={() => {
          isNaming.value = true;
        }}
      />
    </li>
  );
}

/** What a version is. @param onNamed ends the entry of its name; `undefined` while none is typed */
function About(props: {
  readonly version: ProjectVersion;
  readonly changes: string;
  readonly onNamed: ((name: string) => void) | undefined;
}) {
  const { version, changes, onNamed } = props;
  const { name, kind, counts, key_label: by } = version;
  const t = lateTexts.versions;
  const shown = t.shownName(version);
  const facts = [
    ...(name === '' || kind === 'named' ? [] : [t.kindOf(kind)]),
    ...(by === '' ? [] : [t.by(by)]),
    t.contents(counts),
  ];
  return (
    <div class="version-about">
      {onNamed === undefined ? (
        <h4>{name === '' ? t.kindOf(kind) : shown}</h4>
      ) : (
        <NameField name={shown} label={texts.rename} selected={shown.length} onEnd={onNamed} />
      )}
      <p class="hint">
        {facts.join(' · ')}
        {changes !== '' && (
          <>
            <br />
            {changes}
          </>
        )}
      </p>
    </div>
  );
}

/** What can be done with a version. */
function Actions(props: Props & { readonly onName: () => void }) {
  const { version, canWrite, canCreate, isReturnedTo, onLook, onName, onRestore, onCopy, onRemove } = props;
  const look = useRef<HTMLButtonElement>(null);
  const t = lateTexts.versions;
  const called = t.nameOf(version);
  useLayoutEffect(() => {
    if (isReturnedTo) look.current?.focus();
  }, [isReturnedTo]);
  return (
    <div class="row version-actions">
      <button ref={look} type="button" aria-label={t.lookAt(called)} onClick={() => onLook(false)}>
        {t.look}
      </button>
      <Button label={t.compare} aria-label={t.compareWith(called)} onClick={() => onLook(true)} />
      {canWrite && (
        <Menu
          label={texts.moreFor(called)}
          items={[
            { label: t.restore, onChoose: onRestore },
            { label: texts.rename, onChoose: onName },
            ...(canCreate ? [{ label: t.copy, onChoose: onCopy }] : []),
            { label: texts.remove, isDanger: true, onChoose: onRemove },
          ]}
        />
      )}
    </div>
  );
}
