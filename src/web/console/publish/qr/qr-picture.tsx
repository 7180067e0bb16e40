/** A QR code on the screen. */
import type { Ref } from 'preact';
import { useMemo } from 'preact/hooks';
import { qrPath } from './qr-path.ts';

/** In pixels. */
const width = 240;

interface Props {
  readonly text: string;
  /** What it is, for screen readers. */
  readonly label: string;
  readonly picture?: Ref<SVGSVGElement>;
}

export function QrPicture({ text, label, picture }: Props) {
  const { size, path } = useMemo(() => qrPath(text), [text]);
  return (
    <svg ref={picture ?? null} viewBox={`0 0 ${size} ${size}`} width={width} height={width} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}
