/** How tiles are asked for: one alone, until one has loaded. So a server that is away gets one request, and the browser reports one failure. */
import { tileReferrer } from '../backdrop.ts';

/** Finds the address of a picture that takes the place of a tile which does not load. */
export type FallbackTile = (address: string) => Promise<string>;

export type AskForTile = (picture: HTMLImageElement, address: string) => void;

/** Pause after a tile that has failed, while none has loaded, in milliseconds. */
const pauseMs = 15_000;

/** An address without a picture, which browsers ask no server for. */
const nothing = 'data:,';

export class TileRequests {
  readonly #load: AskForTile;
  readonly #held: Parameters<AskForTile>[] = [];
  #isUp = false;
  #isWaiting = false;
  /** The tiles are not on the map any more. */
  isEnded = false;

  constructor(load: AskForTile) {
    this.#load = load;
  }

  readonly ask: AskForTile = (picture, address) => {
    if (this.#isUp) this.#load(picture, address);
    else if (this.#isWaiting) this.#held.push([picture, address]);
    else this.#try(picture, address);
  };

  #try(picture: HTMLImageElement, address: string): void {
    this.#isWaiting = true;
    picture.addEventListener('load', () => {
      this.#isUp = true;
      for (const each of this.#held.splice(0)) this.#load(...each);
    });
    picture.addEventListener('error', () => {
      setTimeout(() => {
        this.#isWaiting = false;
        // The server may have no tile where the first one is, so the next one is far from it.
        const other = this.#held.pop();
        if (other !== undefined) this.#try(...other);
      }, pauseMs);
    });
    this.#load(picture, address);
  }

  /** Fails the requests that wait, since the map has other layers now: it would keep the tiles of others waiting. */
  end(): void {
    this.isEnded = true;
    for (const [picture] of this.#held.splice(0)) picture.src = nothing;
  }
}

export const loadTile: AskForTile = (picture, address) => {
  picture.referrerPolicy = tileReferrer;
  picture.src = address;
};

/** Loads a tile, or what takes its place. OpenLayers learns of one failure only: that of both. */
export const loadTileOr =
  (fallbackTile: FallbackTile): AskForTile =>
  (picture, address) => {
    const attempt = new Image();
    attempt.addEventListener('load', () => loadTile(picture, address));
    attempt.addEventListener('error', () => {
      fallbackTile(address).then(
        (other) => loadTile(picture, other),
        () => loadTile(picture, address),
      );
    });
    loadTile(attempt, address);
  };
