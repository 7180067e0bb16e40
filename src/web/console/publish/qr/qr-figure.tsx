/** A QR code, with a button that saves it and the address in it. */
import { useMemo, useRef } from 'preact/hooks';
import { saveFile } from '../../../viewer/element/dom.ts';
import { lateTexts } from '../../late-texts.ts';
import { LocalAddress } from '../../server/local-address.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { qrPath } from './qr-path.ts';
import { QrPicture } from './qr-picture.tsx';

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
  const { size } = useMemo(() => qrPath(address), [address]);
  const t = lateTexts.publish.qr;
  return (
    <>
      <figure class="share-picture">
        <QrPicture text={address} label={t.label(name)} picture={picture} />
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
