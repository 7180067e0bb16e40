/** The names of a map and of the artboard that is shown, for visitors. */
import { visibleName } from '../../../../lib/draw/map-name.ts';
import { artboardTitle } from '../texts.ts';
import type { ShareHost } from './share-contract.ts';

interface Titles {
  /** The name of the map, or else of the artboard. */
  readonly map: string;
  /** '' for the only artboard. */
  readonly artboard: string;
}

export function titlesOf({ source, navigation, language }: ShareHost): Titles {
  const { shown } = source;
  const { artboard } = navigation;
  if (shown === undefined || artboard === undefined) return { map: '', artboard: '' };
  const { texts } = language();
  const at = shown.artboards.findIndex(({ id }) => id === artboard.id);
  const title = artboardTitle(artboard, at, texts);
  const name = visibleName(shown.still.map.name);
  return { map: name || title, artboard: name !== '' && shown.artboards.length > 1 ? title : '' };
}
