/** The map as it is shown, drawn apart from the screen in another size. */
import { type MapPicture, type MapPictureOptions, mapPicture } from '../../drawing/flat/map-picture.ts';
import { make } from '../dom.ts';
import type { ShareHost } from './share-contract.ts';

type Wanted = Pick<MapPictureOptions, 'width' | 'height' | 'pixelRatio'> &
  Partial<Pick<MapPictureOptions, 'extent' | 'annotate' | 'hasNoGroups' | 'hasNoCredit'>>;

/** Rejects if the browser gives no canvas of this size, and if nothing is shown. */
export async function viewPicture(host: ShareHost, wanted: Wanted): Promise<MapPicture> {
  const { stage, source, navigation, filter, drawers, loadOutlines } = host;
  const { artboard } = navigation;
  const { drawing, look } = stage;
  const icons = source.shown?.icons;
  if (artboard === undefined || drawing === undefined || icons === undefined) throw new Error('the map shows nothing yet');
  return await mapPicture({
    ...{ drawers, artboard, icons, start: undefined, filter: (object) => filter.passes(object), loadOutlines },
    ...{ labels: look.labels, hasNoGroups: look.hasNoGroups, tiles: drawing.tiles, accent: accentOf(host) },
    extent: drawing.map.getView().calculateExtent(drawing.map.getSize()),
    ...wanted,
  });
}

/** The colour of groups, as canvases take it. */
function accentOf({ stage }: ShareHost): string {
  const probe = make('span', { hidden: true });
  probe.style.color = 'var(--_accent)';
  stage.element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
