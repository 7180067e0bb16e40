/** The picture of an artboard as a layer, which draws it from the copy that fits the pixels of the screen. */
import ImageLayer from 'ol/layer/Image.js';
import type { FrameState } from 'ol/Map.js';
import CanvasImageLayerRenderer from 'ol/renderer/canvas/ImageLayer.js';
import type ImageStatic from 'ol/source/ImageStatic.js';
import ViewHint from 'ol/ViewHint.js';
import { PictureCopies } from './picture-copies.ts';

export class PictureLayer extends ImageLayer<ImageStatic> {
  readonly #source: ImageStatic;
  readonly #onPreparing: (isPreparing: boolean) => void;
  #copies: PictureCopies | undefined;

  /** @param onPreparing whether copies are being made */
  constructor(source: ImageStatic, onPreparing: (isPreparing: boolean) => void) {
    super({ source });
    this.#source = source;
    this.#onPreparing = onPreparing;
  }

  override createRenderer(): CanvasImageLayerRenderer {
    const copies = new PictureCopies({
      onReady: () => this.changed(),
      onPreparing: (isPreparing) => this.#onPreparing(isPreparing),
    });
    this.#copies = copies;
    return new PictureRenderer(this, this.#source, copies);
  }

  override disposeInternal(): void {
    this.#copies?.dispose();
    super.disposeInternal();
  }
}

class PictureRenderer extends CanvasImageLayerRenderer {
  readonly #source: ImageStatic;
  readonly #copies: PictureCopies;

  constructor(layer: PictureLayer, source: ImageStatic, copies: PictureCopies) {
    super(layer);
    this.#source = source;
    this.#copies = copies;
  }

  override renderFrame(frameState: FrameState, target: HTMLElement): HTMLElement {
    const image = this.image?.getImage();
    // OpenLayers decodes pictures into bitmaps, where the browser can.
    const isElement = image instanceof HTMLImageElement;
    if (this.image === null || !(isElement || image instanceof ImageBitmap)) return super.renderFrame(frameState, target);
    this.prepareContainer(frameState, target);
    const context = this.getRenderContext(frameState) as CanvasRenderingContext2D;
    const { canvas } = context;
    const { pixelRatio, viewHints, viewState } = frameState;
    const unit = viewState.resolution / pixelRatio;
    const [x = 0, y = 0] = viewState.center;
    const [left = 0, bottom = 0, right = 0, top = 0] = this.image.getExtent();
    const isMoving = (viewHints[ViewHint.ANIMATING] ?? 0) > 0 || (viewHints[ViewHint.INTERACTING] ?? 0) > 0;
    this.#copies.draw(
      context,
      { image, width: isElement ? image.naturalWidth : image.width, height: isElement ? image.naturalHeight : image.height },
      {
        ...{ x: canvas.width / 2 + (left - x) / unit, y: canvas.height / 2 + (y - top) / unit },
        ...{ width: (right - left) / unit, height: (top - bottom) / unit },
      },
      isMoving,
    );
    // The map is complete when the best copy is drawn.
    this.#source.loading = this.#copies.isBusy;
    return this.getContainerElement() as HTMLElement;
  }
}
