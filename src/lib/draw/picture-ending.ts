/** The ends of names of pictures. */
const endings = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/gif', 'gif'],
  ['image/svg+xml', 'svg'],
]);

/** The end of the name of a picture of this media type, without its dot; `undefined` for a type that the server does not take. */
export const pictureEnding = (type: string): string | undefined => endings.get(type);
