/** The files in a ZIP archive, each read when it is needed. A small archive can unpack to any size: sizes are checked before. */
import { unzipSync } from 'fflate';
import { ConvertError } from '../../conversion.ts';

/** Files of an archive. */
const entriesMax = 10_000;
/** Bytes of one file, and of all that are read. */
const fileBytesMax = 128 * 1024 * 1024;
const allBytesMax = 256 * 1024 * 1024;
/** How much smaller a file may be in the archive; only repetitions without an end are so small. */
const ratioMax = 250;
/** A file of this many bytes may have any ratio. */
const smallBytes = 1024 * 1024;

interface Entry {
  readonly bytes: number;
  readonly packed: number;
}

export class Archive {
  readonly #bytes: Uint8Array;
  readonly #entries = new Map<string, Entry>();
  #read = 0;

  /** @throws {ConvertError} "unreadable" for a broken archive, "too-large" for one with many files */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const list = ({ name, size, originalSize }: { name: string; size: number; originalSize: number }): false => {
      if (this.#entries.size >= entriesMax)
        throw new ConvertError(
          'too-large',
          `The archive has more than ${entriesMax} files. Unpack it, and import the file in it.`,
        );
      const isOther = name.endsWith('/') || /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store)/.test(name);
      if (!isOther) this.#entries.set(name, { bytes: originalSize, packed: size });
      return false;
    };
    this.#unzip(list);
  }

  /** Without folders, and what macOS adds. */
  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Bytes of a file, as the archive says; `undefined` if there is none of that name. */
  bytesOf(name: string): number | undefined {
    return this.#entries.get(name)?.bytes;
  }

  /** @throws {ConvertError} "too-large" */
  read(name: string): Uint8Array {
    this.check([name]);
    const file = this.#unzip((entry) => entry.name === name)[name];
    if (file === undefined) throw broken();
    return file;
  }

  /** Counts files as read. @throws {ConvertError} "too-large" if they unpack to more than is read */
  check(names: readonly string[]): void {
    for (const name of names) {
      const { bytes, packed } = this.#entries.get(name) ?? { bytes: 0, packed: 0 };
      this.#read += bytes;
      const isEndless = bytes > smallBytes && bytes > packed * ratioMax;
      if (bytes > fileBytesMax || this.#read > allBytesMax || isEndless)
        throw new ConvertError(
          'too-large',
          `"${name.slice(0, 100)}" in the archive unpacks to ${bytes} bytes from ${packed}: at most ${fileBytesMax}, and ${ratioMax} times as many, are read. Unpack it, and split the file in it.`,
        );
    }
  }

  #unzip(filter: (entry: { name: string; size: number; originalSize: number }) => boolean): Record<string, Uint8Array> {
    try {
      return unzipSync(this.#bytes, { filter });
    } catch (error) {
      if (error instanceof ConvertError) throw error;
      throw broken();
    }
  }
}

const broken = (): ConvertError =>
  new ConvertError(
    'unreadable',
    'The archive is broken, or encrypted; perhaps it was cut off. Download it again, or unpack it and import the file in it.',
  );
