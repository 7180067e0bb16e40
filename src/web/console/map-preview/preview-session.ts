/** The conversation with the frame of the preview: it gets the map after each change, and tiles that only this page can load. */
import { wholeProject } from '../document/whole-project.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { loadSets, type SetIcon } from '../icons/icon-file.ts';
import { iconsOfCategories } from '../kinds/map-categories.ts';
import { showIcons } from '../map/icon-sets.ts';
import { loadedAddress, serverRoot } from '../server/server-root.ts';
import { SandboxedFrame } from '../ui/sandboxed-frame.ts';
import { type FromPreview, readFromPreview, type ToPreview } from './preview-messages.ts';

/** The preview follows after this pause, in milliseconds: an import or a drag is many changes. */
const pauseMs = 200;

export class PreviewSession {
  readonly #document: ProjectDocument;
  readonly #frame: SandboxedFrame<FromPreview, ToPreview>;
  readonly #endFollowing: () => void;
  readonly #endIcons: () => void;
  #icons: Readonly<Record<string, SetIcon>> = {};
  #isReady = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(document: ProjectDocument, frame: HTMLIFrameElement) {
    this.#document = document;
    this.#frame = new SandboxedFrame(frame, readFromPreview, (message) => this.#take(message));
    this.#endFollowing = document.store.onChange(() => this.#follow());
    this.#endIcons = showIcons(document.store, loadSets, (icons) => {
      this.#icons = icons;
      this.#follow();
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#frame.close();
    this.#endFollowing();
    this.#endIcons();
  }

  #follow(): void {
    if (!this.#isReady) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#sendMap(), pauseMs);
  }

  #take(message: FromPreview): void {
    if (message.kind === 'tile') void this.#sendTile(message.address);
    else {
      this.#isReady = true;
      this.#sendMap();
    }
  }

  #sendMap(): void {
    const { artboards, ...project } = wholeProject(this.#document.store);
    const shown = artboards.map((artboard) => ({ ...artboard, image_url: loadedAddress(artboard.image_url) }));
    // Both sets are hundreds of icons, and a map has some of them.
    const used = [...artboards.flatMap(({ objects }) => objects.map(({ icon }) => icon)), ...iconsOfCategories(project.settings)];
    const icons = Object.fromEntries(used.flatMap((name = '') => (this.#icons[name] ? [[name, this.#icons[name]]] : [])));
    this.#frame.send({ kind: 'map', map: { ...project, artboards: shown, icons } });
  }

  async #sendTile(address: string): Promise<void> {
    const { tiles } = this.#document.connection.session;
    const origins = tiles.filter(({ url }) => url !== 'none').map(({ url }) => new URL(url, serverRoot()).origin);
    // The frame gets pictures of the servers of tiles, and of no other.
    const isTile = URL.canParse(address) && origins.includes(new URL(address).origin);
    const picture = isTile ? await pictureOf(address).catch(() => undefined) : undefined;
    this.#frame.send({ kind: 'tile', address, picture });
  }
}

/** A picture as bytes. The policy of this page allows pictures of every host, but no other requests. Rejects if its server does not allow it. */
async function pictureOf(address: string): Promise<Blob | undefined> {
  const picture = new Image();
  picture.crossOrigin = 'anonymous';
  picture.src = address;
  await picture.decode();
  const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  return canvas.convertToBlob();
}
