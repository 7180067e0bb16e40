/** A QR code, with a button that saves it and the address in it. */
import { useMemo, useRef } from 'preact/hooks';
import { saveFile } from '../../../viewer/element/dom.ts';
import { lateTexts } from '../../late-texts.ts';
import { LocalAddress } from '../../server/local-address.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { qrPath } from './qr-path.ts';

/** On the screen, in pixels. */
const width = 240;
/** In the file. */
const moduleMm = 1;

/** @param name what the address opens */
export function QrFigure({
  address,
  name,
  fileName,
}: {
  readonly address: string;
  readonly name: string;
  readonly fileName: string;
}) {
  const picture = useRef<SVGSVGElement>(null);
  const { size, path } = useMemo(() => qrPath(address), [address]);
  const t = lateTexts.publish.qr;
  return (
    <>
      <figure class="share-picture">
        <svg ref={picture} viewBox={`0 0 ${size} ${size}`} width={width} height={width} role="img" aria-label={t.label(name)}>
          <rect width={size} height={size} fill="#fff" />
          <path d={path} fill="#000" shape-rendering="crispEdges" />
        </svg>
        <figcaption class="hint">{t.size(size * moduleMm)}</figcaption>
        <Button
          label={t.save}
          onClick={() => {
            if (picture.current !== null) saveFile(svgFile(picture.current, `${size * moduleMm}mm`), fileName);
          }}
        />
      </figure>
      <CopyText title={t.address} text={address} />
      <LocalAddress address={address} />
    </>
  );
}

/** @param side of the square, with its unit */
function svgFile(picture: SVGSVGElement, side: string): Blob {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('width', side);
  copy.setAttribute('height', side);
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' });
}
