/**
 * Pictures that the console uploads for the text. Until its answer, each is in the text view with a `blob:` address, which is its name, too;
 * the HTML of the text leaves it out.
 */

import { frameTexts as texts } from './frame-texts.ts';
import { pictureBytesMax } from './messages.ts';

interface PendingPicturesOptions {
  upload(file: File, place: string): void;
  /** The uploads that run, or what was refused, have changed. */
  onChange(): void;
}

export class PendingPictures {
  readonly #options: PendingPicturesOptions;
  /** Addresses by place: `undefined` while it is uploaded, '' if it was refused. They stay, because undo brings places back. */
  readonly #addresses = new Map<string, string | undefined>();
  #refusals: readonly string[] = [];

  constructor(options: PendingPicturesOptions) {
    this.#options = options;
  }

  /** The places of those that are being uploaded. */
  get places(): readonly string[] {
    return [...this.#addresses].flatMap(([place, address]) => (address === undefined ? [place] : []));
  }

  /** Why pictures are missing in the text, since the last {@link begin}. */
  get refusals(): readonly string[] {
    return this.#refusals;
  }

  /** The user drops or pastes something else. */
  begin(): void {
    this.#refusals = [];
    this.#options.onChange();
  }

  refuse(reason: string): void {
    this.#refusals = [...this.#refusals, reason];
    this.#options.onChange();
  }

  /** Uploads a file. @returns its place; `undefined` if it is refused, with a reason */
  add(file: File): string | undefined {
    if (!file.type.startsWith('image/')) {
      this.refuse(texts.notPicture(file.name));
      return undefined;
    }
    if (file.size > pictureBytesMax) {
      this.refuse(texts.tooLarge(file.name, pictureBytesMax / 1024 / 1024));
      return undefined;
    }
    const place = URL.createObjectURL(file);
    this.#addresses.set(place, undefined);
    this.#options.upload(file, place);
    this.#options.onChange();
    return place;
  }

  /** @param address '' if it was refused @returns whether it was waiting */
  settle(place: string, address: string, reason: string): boolean {
    if (!this.#addresses.has(place) || this.#addresses.get(place) !== undefined) return false;
    this.#addresses.set(place, address);
    if (reason !== '') this.refuse(reason);
    else this.#options.onChange();
    return true;
  }

  /** The address of a picture in the text: of a place, as soon as it is known; '' if it has to leave the text. */
  addressOf(source: string): string {
    return this.#addresses.get(source) ?? source;
  }

  has(source: string): boolean {
    return this.#addresses.has(source);
  }
}
