/** Results of reading one format: dimensions, or why there are none. */

/** Why bytes are no picture that a server keeps. */
export type PictureFault =
  | 'other-type'
  | 'too-many-pixels'
  | 'no-dimensions'
  | 'broken'
  | 'document-type'
  | 'too-large'
  | 'too-slow';

/** Width and height in pixels. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}
