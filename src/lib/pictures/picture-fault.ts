/** What the recognition of a picture finds: its dimensions, or a fault. */

/** Width and height in pixels. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** Why bytes are no picture that a server keeps. */
export type PictureFault =
  | 'other-type'
  | 'too-many-pixels'
  | 'no-dimensions'
  | 'broken'
  | 'document-type'
  | 'too-large'
  | 'too-slow';
