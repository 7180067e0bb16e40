/** Keeps the pictures of all artboards in the memory of the browser, so that one that is shown again needs no network. */
import { isImageAddress } from '../../drawing/image-address.ts';
import type { MapArtboard } from '../../drawing/map-document.ts';

export class KeptPictures {
  #kept: ReadonlyMap<string, HTMLImageElement> = new Map();

  /** Loads what is not there yet, also what did not load before, and lets go of the rest. */
  keep(artboards: readonly MapArtboard[]): void {
    const addresses = artboards.flatMap(({ type, image_url }) =>
      type === 'image' && isImageAddress(image_url) ? [image_url] : [],
    );
    this.#kept = new Map(addresses.map((address) => [address, this.#usable(address) ?? loading(address)]));
  }

  #usable(address: string): HTMLImageElement | undefined {
    const picture = this.#kept.get(address);
    return picture?.complete === true && picture.naturalWidth === 0 ? undefined : picture;
  }
}

const loading = (address: string): HTMLImageElement => Object.assign(new Image(), { src: address });
