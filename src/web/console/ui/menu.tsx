/** A button that opens a list of commands. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import { Icon } from './icons.tsx';

interface MenuItem {
  readonly label: string;
  readonly isDanger?: boolean;
  onChoose(): void;
}

export function Menu(props: {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly face?: ComponentChildren;
  readonly head?: ComponentChildren;
}) {
  const isOpen = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (focus: boolean) => {
    isOpen.value = false;
    if (focus) button.current?.focus();
  };
  useLayoutEffect(() => {
    if (!isOpen.value) return undefined;
    // Below the last rows of a panel there is no room.
    root.current?.querySelector('.menu-list')?.scrollIntoView({ block: 'nearest' });
    root.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) close(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [isOpen.value]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen.value) return;
    const items = [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const move = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (move !== undefined) items[(move + items.length) % items.length]?.focus();
    else if (event.key === 'Escape') close(true);
    else if (event.key === 'Tab') close(false);
    else return;
    if (event.key !== 'Tab') event.preventDefault();
    event.stopPropagation();
  };
  if (props.items.length === 0 && props.head === undefined) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it have the focus, and their keys come up to it
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="quiet"
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        aria-label={props.label}
        title={props.label}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {props.face ?? <Icon name="more" />}
      </button>
      {isOpen.value && (
        <div class="menu-list">
          {props.head}
          <Items
            label={props.label}
            items={props.items}
            onChoose={(item) => {
              close(true);
              item.onChoose();
            }}
          />
        </div>
      )}
    </div>
  );
}

function Items(props: {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly onChoose: (item: MenuItem) => void;
}) {
  return (
    <div role="menu" aria-label={props.label}>
      {props.items.map((item) => (
        <Button
          label={item.label}
          key={item.label}
          role="menuitem"
          tabIndex={-1}
          class={item.isDanger ? 'danger-text' : ''}
          onClick={() => props.onChoose(item)}
        />
      ))}
    </div>
  );
}
