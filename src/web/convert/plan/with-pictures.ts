/** Puts the addresses of uploaded pictures into the popups of a conversion. */
import type { Conversion } from '../conversion.ts';

/** @param addresses in the order of {@link Conversion.pictures}; `undefined`: a picture that was refused, which is not shown */
export function withPictures(conversion: Conversion, addresses: readonly (string | undefined)[]): Conversion {
  const pictures = conversion.pictures ?? [];
  if (pictures.length === 0) return conversion;
  const byMark = new Map(pictures.map(({ mark }, i) => [mark, addresses[i]]));
  const popups = conversion.popups.map(({ object, body }) => {
    const content = String(body['content'] ?? '').replace(
      /<img\b[^<>]*?\ssrc="(mapwright-picture:\d+)"[^<>]*>/g,
      (whole, mark: string) => {
        const address = byMark.get(mark);
        return address === undefined ? '' : whole.replace(mark, address);
      },
    );
    return { object, body: { ...body, content } };
  });
  return { ...conversion, popups };
}
