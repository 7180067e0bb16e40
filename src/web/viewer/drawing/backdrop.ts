/** What is below the objects of an artboard, as far as no map library is needed: for the drawing, and for the cards of the console. */

export const tileZoomMax = 19;

/** Tile servers refuse requests without a Referer, which the page's own policy may remove. */
export const tileReferrer = 'strict-origin-when-cross-origin';

/** Below images, and where tiles are missing. */
export const [paper, ground] = ['#f8fafc', '#e3eaf1'] as const;
