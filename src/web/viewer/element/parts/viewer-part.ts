/**
 * A part of the viewer that is no part of `viewer.js`: a script with its digest in its name, in the folder `viewer` next to it. It is loaded when the
 * browser is idle after the first picture, or when something needs it before that; that of a wall on walls alone, that of outlines for maps on Earth, that
 * of the menu when it is opened, and that of visits for maps whose server counts them.
 */
import type { DetailsPart } from '../details/details-part.ts';
import type { OutlinesPart } from '../outlines/outlines-part.ts';
import type { PanelPart } from '../panel/panel-contract.ts';
import type { SharePart } from '../share/share-contract.ts';
import type { VisitsPart } from '../visits/visits-part.ts';
import type { WallPart } from '../wall/wall-contract.ts';

/** The part of each name. */
interface Parts {
  readonly panel: PanelPart;
  readonly details: DetailsPart;
  readonly wall: WallPart;
  readonly outlines: OutlinesPart;
  readonly share: SharePart;
  readonly visits: VisitsPart;
}

/** A function for each part that loads it. */
export type PartLoaders = { readonly [Name in keyof Parts]: () => Promise<Parts[Name]> };

/** Addresses relative to the script, which the build puts into it. */
declare const viewerParts: Readonly<Record<keyof Parts, string>>;

/** How parts are loaded. The module of the package has other loaders: bundlers cannot know which scripts these are, and leave this import alone. */
export const parts = {
  load: (name: keyof Parts, attempt: number): Promise<unknown> =>
    // A browser remembers a script that failed, by its whole address.
    import(`${viewerParts[name]}#${attempt}`),
};

export class ViewerPart<Name extends keyof Parts> {
  readonly #name: Name;
  readonly #onGone: (message: string) => void;
  #state: 'waiting' | 'loading' | 'loaded' | 'gone' = 'waiting';
  #loaded: Parts[Name] | undefined;
  #uses: ((part: Parts[Name]) => void)[] = [];

  /** @param onGone called if the part cannot be loaded: its controls cannot do anything */
  constructor(name: Name, onGone: (message: string) => void) {
    this.#name = name;
    this.#onGone = onGone;
  }

  get isGone(): boolean {
    return this.#state === 'gone';
  }

  /** Calls a function with the part: now, if it is loaded, or else once it is. Not at all if it is gone. */
  use(act: (part: Parts[Name]) => void): void {
    if (this.#loaded !== undefined) {
      act(this.#loaded);
      return;
    }
    this.#uses.push(act);
    void this.load();
  }

  async load(): Promise<void> {
    if (this.#state !== 'waiting') return;
    this.#state = 'loading';
    try {
      this.#loaded = await loaded(this.#name);
      this.#state = 'loaded';
    } catch (error) {
      this.#state = 'gone';
      this.#uses = [];
      this.#onGone(`${this.#name}: ${(error as Error).message}`);
      return;
    }
    const uses = this.#uses;
    this.#uses = [];
    for (const act of uses) act(this.#loaded);
  }
}

/** Pauses before a script that could not be loaded is asked for again, in milliseconds: a server may be restarting. */
const retriesAfterMs = [500, 2000];

/** Rejects if the script cannot be loaded, also later. */
async function loaded<Name extends keyof Parts>(name: Name, attempt = 0): Promise<Parts[Name]> {
  try {
    return (await parts.load(name, attempt)) as Parts[Name];
  } catch (error) {
    const pauseMs = retriesAfterMs[attempt];
    if (pauseMs === undefined) throw error;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return loaded(name, attempt + 1);
}
