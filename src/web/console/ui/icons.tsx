/** Pictures of lines in a box of 24 × 24, in the colour of the text. */
import type { JSX } from 'preact';

const paths = {
  back: 'M15 5l-7 7 7 7',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  select: 'M6 3l12 9-5.5 1.2L9.6 19z',
  spot: 'M12 21s7-6.5 7-12a7 7 0 0 0-14 0c0 5.5 7 12 7 12zM12 11.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  poly: 'M5 8l8-4 7 6-3 9-10 1z',
  several: 'M4 4h9v9H4zM16 11h4v9h-9v-4M7 8.5l2 2 3-4',
  rectangle: 'M4 6h16v12H4z',
  circle: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16z',
  line: 'M4 18l6-9 5 5 5-9',
  text: 'M5 7V5h14v2M12 5v14M9 19h6',
  hole: 'M4 4h16v16H4zM9 9h6v6H9z',
  split: 'M5 5h14v14H5zM3 15L21 9',
  left: 'M4 3v18M8 6h12v4H8zM8 14h7v4H8z',
  centre: 'M12 3v3M12 10v4M12 18v3M6 6h12v4H6zM8 14h8v4H8z',
  right: 'M20 3v18M4 6h12v4H4zM9 14h7v4H9z',
  top: 'M3 4h18M6 8v12h4V8zM14 8v7h4V8z',
  middle: 'M3 12h3M10 12h4M18 12h3M6 6v12h4V6zM14 8v8h4V8z',
  bottom: 'M3 20h18M6 4v12h4V4zM14 9v7h4V9z',
  spreadX: 'M4 4v16M20 4v16M9 7h6v10H9z',
  spreadY: 'M4 4h16M4 20h16M7 9v6h10V9z',
  sameSize: 'M4 8h6v8H4zM14 8h6v8h-6z',
  front: 'M4 14h16v6H4zM12 3v8M12 3L8.500 6.500M12 3l3.500 3.500',
  behind: 'M4 4h16v6H4zM12 21v-8M12 21l-3.500-3.500M12 21l3.500-3.500',
  names: 'M4 5h16v14H4zM8 9h8M12 9v7',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4v6M9 14v6',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  more: 'M12 6h.01M12 12h.01M12 18h.01',
  close: 'M6 6l12 12M18 6L6 18',
  help: 'M9.5 9a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1 1-1.1 1.8v.5M12 17h.01M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20z',
  trash: 'M4 7h16M10 11v6M14 11v6M6 7l1 13h10l1-13M9 7V4h6v3',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  warning: 'M12 3l10 18H2zM12 10v5M12 18h.01',
  artboard: 'M4 5h16v14H4z',
  table: 'M4 5h16v14H4zM4 10h16M4 14.500h16M10 5v14',
  raise: 'M12 4l7 7M12 4l-7 7M12 4v16',
  lower: 'M12 20l7-7M12 20l-7-7M12 20V4',
  folder: 'M3 6h7l2 2h9v11H3z',
  chevron: 'M9 6l6 6-6 6',
  share: 'M10 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM3 21v-1a6 6 0 0 1 6-6h3M18 14v7M14.500 17.500h7',
  json: 'M9 4c-3 0-3 1-3 4s0 4-2.5 4c2.5 0 2.5 1 2.5 4s0 4 3 4M15 4c3 0 3 1 3 4s0 4 2.5 4c-2.5 0-2.5 1-2.5 4s0 4-3 4',
  history: 'M3 12a9 9 0 1 0 3-6.7L3 8M3 3v5h5M12 7v5l4 2',
  live: 'M13 3L5 13h6l-1 8 9-11h-6z',
  play: 'M7 4l13 8-13 8z',
  pause: 'M8 5v14M16 5v14',
  upload: 'M12 16V4M12 4l-5 5M12 4l5 5M4 20h16',
  addPicture: 'M4 19V5h16v8M4 19h8M4 16l5-5 5 5M18 16v6M15 19h6',
  pictures: 'M8 4h12v12H8zM8 13l4-4 3 3 2-2 3 3M16 16v4H4V8h4',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

type IconButtonProps = Omit<JSX.IntrinsicElements['button'], 'label' | 'icon' | 'children' | 'ref'> & {
  readonly icon: IconName;
  readonly label: string;
  /** Keys that do the same, for the text on hover. */
  readonly keys?: string;
  readonly isDisabled?: boolean;
};

/** A button that shows an icon alone; its label is read out, and shown on hover. */
export function IconButton({ icon, label, keys, isDisabled, ...attributes }: IconButtonProps) {
  const title = keys === undefined ? label : `${label} (${keys})`;
  return (
    <button type="button" class="quiet" aria-label={label} title={title} disabled={isDisabled} {...attributes}>
      <Icon name={icon} />
    </button>
  );
}

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" />
      <path d="M16 6a7 7 0 0 0-7 7c0 5 7 13 7 13s7-8 7-13a7 7 0 0 0-7-7zm0 10a3 3 0 1 1 0-6 3 3 0 0 1 0 6z" />
    </svg>
  );
}
