/** A button with a text, and perhaps an icon before it. */
import type { JSX } from 'preact';
import { Icon, type IconName } from './icons.tsx';

type Props = Omit<JSX.IntrinsicElements['button'], 'label' | 'icon' | 'children' | 'ref'> & {
  readonly label: string;
  readonly icon?: IconName;
};

export function Button({ label, icon, ...attributes }: Props) {
  return (
    <button type="button" {...attributes}>
      {icon !== undefined && (
        <>
          <Icon name={icon} />{' '}
        </>
      )}
      {label}
    </button>
  );
}
