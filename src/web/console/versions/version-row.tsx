/** A version in the history: when, what, by whom, how much changed, and what can be done with it. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ProjectVersion } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
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
  const { version, changes, canWrite, isReturnedTo, onSeen, onLook } = props;
  const isNaming = useSignal(false);
  const row = useRef<HTMLLIElement>(null);
  const look = useRef<HTMLButtonElement>(null);
  const { name, created, kind, counts, key_label: by } = version;
  const t = texts.versions;
  const called = t.nameOf(version);
  useEffect(() => {
    if (isReturnedTo) look.current?.focus();
  }, [isReturnedTo]);
  useEffect(() => {
    const element = row.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [changes]);
  const endNaming = (renamed: string) => {
    isNaming.value = false;
    if (renamed !== '' && renamed !== t.shownName(version)) props.onRename(renamed);
    // The button is back after the next render.
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('.menu button')?.focus());
  };
  return (
    <li class="version-row" ref={row}>
      <time class="version-time" dateTime={created}>
        {t.hour(created)}
      </time>
      <div class="version-about">
        {isNaming.value ? (
          <NameField name={t.shownName(version)} label={t.rename} selected={t.shownName(version).length} onEnd={endNaming} />
        ) : (
          <h4>{name === '' ? t.kindOf(kind) : t.shownName(version)}</h4>
        )}
        <p class="hint">
          {[
            ...(name === '' || kind === 'named' ? [] : [t.kindOf(kind)]),
            ...(by === '' ? [] : [t.by(by)]),
            t.contents(counts),
          ].join(' · ')}
          {changes !== '' && (
            <>
              <br />
              {changes}
            </>
          )}
        </p>
      </div>
      <div class="row version-actions">
        <button ref={look} type="button" aria-label={t.lookAt(called)} onClick={() => onLook(false)}>
          {t.look}
        </button>
        <button type="button" aria-label={t.compareWith(called)} onClick={() => onLook(true)}>
          {t.compare}
        </button>
        {canWrite && (
          <Menu
            label={t.menu(called)}
            items={[
              { label: t.restore, onChoose: props.onRestore },
              {
                label: t.rename,
                onChoose: () => {
                  isNaming.value = true;
                },
              },
              ...(props.canCreate ? [{ label: t.copy, onChoose: props.onCopy }] : []),
              { label: t.remove, isDanger: true, onChoose: props.onRemove },
            ]}
          />
        )}
      </div>
    </li>
  );
}
