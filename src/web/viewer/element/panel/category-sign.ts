/** The colour and the icon of a category, as its objects have them on the map. */
import { isIconName } from '../../../../lib/draw/public-map.ts';
import type { MapIcon } from '../../drawing/map-document.ts';
import { make } from '../dom.ts';
import type { FilesBase } from '../loading/file-address.ts';
import { pictureAddress } from '../loading/picture-address.ts';

const svg = 'http://www.w3.org/2000/svg';

interface Sign {
  /** Of a canvas. */
  readonly css: string;
  /** True if white has more contrast on the colour than black. */
  readonly isDark: boolean;
  /** Its name, or the address of a picture; '' for none. */
  readonly icon: string;
  readonly icons: ReadonlyMap<string, MapIcon>;
  readonly filesBase: FilesBase | undefined;
}

export function categorySign({ css, isDark, icon, icons, filesBase }: Sign): HTMLElement {
  const sign = make('span', { className: 'sign', attributes: { 'aria-hidden': 'true' } });
  sign.style.background = css;
  const shape = icons.get(icon);
  if (shape !== undefined) {
    const picture = document.createElementNS(svg, 'svg');
    picture.setAttribute('viewBox', `0 0 ${shape.size} ${shape.size}`);
    const path = document.createElementNS(svg, 'path');
    path.setAttribute('d', shape.path);
    picture.append(path);
    picture.style.fill = isDark ? '#fff' : '#000';
    sign.append(picture);
    return sign;
  }
  const src = icon === '' || isIconName(icon) ? undefined : pictureAddress(icon, filesBase);
  if (src !== undefined) {
    const picture = make('img', { src, alt: '', referrerPolicy: 'strict-origin-when-cross-origin' });
    picture.addEventListener('error', () => picture.remove());
    sign.append(picture);
  }
  return sign;
}
