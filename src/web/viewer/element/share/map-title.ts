/** What a map and its artboard are called. */
import { visibleName } from '../../../../lib/draw/map-name.ts';
import { artboardTitle } from '../texts.ts';
import type { ShareHost } from './share-contract.ts';

interface Titles {
  /** Of the map; the artboard's for a map without a name. */
  readonly map: string;
  /** '' for the only artboard. */
  readonly artboard: string;
}

export function titlesOf({ element, source, navigation, language }: ShareHost): Titles {
  const { shown } = source;
  const { artboard } = navigation;
  if (shown === undefined || artboard === undefined) return { map: '', artboard: '' };
  const { texts } = language();
  const at = shown.artboards.findIndex(({ id }) => id === artboard.id);
  const title = artboardTitle(artboard, at, texts);
  // The page of a map may have a title of its own.
  const name = element.getAttribute('permalink') === 'page' ? document.title : visibleName(shown.still.map.name);
  return { map: name || title, artboard: name !== '' && shown.artboards.length > 1 ? title : '' };
}
