/** Pages of which one is shown, by the names above them: arrow keys lead from name to name. */
import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Props<Name extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [name: Name, text: ComponentChildren])[];
  /** Which page is shown. */
  readonly shown: Name;
  readonly onShow: (name: Name) => void;
  /** Those of the names alone. */
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Tabs<Name extends string>({ label, tabs, shown, onShow, children, ...props }: Props<Name>) {
  const id = useId();
  const tabId = (name: string): string => `${id}-${name}`;
  const onKey = (event: KeyboardEvent) => {
    const at = tabs.findIndex(([name]) => name === shown);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    const next = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onShow(next[0]);
    document.getElementById(tabId(next[0]))?.focus();
  };
  return (
    <>
      <div role="tablist" class={`tabs ${props.class ?? ''}`} aria-label={label} onKeyDown={onKey}>
        {tabs.map(([name, text]) => (
          <button
            type="button"
            key={name}
            id={tabId(name)}
            role="tab"
            aria-selected={name === shown}
            aria-controls={name === shown ? `${id}-page` : undefined}
            tabIndex={name === shown ? 0 : -1}
            onClick={() => onShow(name)}
          >
            {text}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-page`} class="tab-page" aria-labelledby={tabId(shown)}>
        {children}
      </div>
    </>
  );
}

/** The properties of {@link Tabs} that a signal holds. */
export const tabOf = <Name extends string>(signal: Signal<Name>) => ({
  shown: signal.value,
  onShow: (name: Name) => {
    signal.value = name;
  },
});
