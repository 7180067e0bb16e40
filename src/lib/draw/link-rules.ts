/** The addresses that a map may link to or load a picture from: one list for the server and for browsers. */

/** A link; a picture; a picture of the web, not one in the address itself. */
export type AddressUse = 'link' | 'picture' | 'web picture';

const schemes: Readonly<Record<AddressUse, RegExp>> = {
  link: /^(?:https?|mailto|tel):$/,
  picture: /^https?:$/,
  'web picture': /^https?:$/,
};

const pictureInAddress = /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i;

/** What an address may be, for a message. */
export const addressRules: Readonly<Record<AddressUse, string>> = {
  link: 'http, https, mailto, tel, or a relative address',
  picture: 'http, https, a relative address, or data:image/…',
  'web picture': 'http, https, or a relative address',
};

/**
 * The absolute form of an address; `undefined` if it is empty or not allowed.
 *
 * @param base the address of the page, which relative addresses refer to
 */
export function addressOf(text: string, use: AddressUse, base: string): string | undefined {
  const trimmed = text.trim();
  if (use === 'picture' && pictureInAddress.test(trimmed)) return trimmed;
  if (trimmed === '' || !URL.canParse(trimmed, base)) return undefined;
  const { protocol, href } = new URL(trimmed, base);
  return schemes[use].test(protocol) ? href : undefined;
}

/** `www.example.com/bread`, `example.com`: what a map would take for a file next to its page. */
const hostAlone =
  /^(?:www\.[^\s/?#]+|(?:[\p{L}\d-]+\.)+(?!(?:html?|pdf|png|jpe?g|svg|webp|gif|php|txt|csv|json|zip)(?:[/?#]|$))\p{L}{2,})(?::\d+)?(?:[/?#]|$)/iu;

/** The address that was probably meant by one without a scheme; `undefined` if it is not in doubt. */
export function withScheme(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed.length <= 2000 && hostAlone.test(trimmed) ? `https://${trimmed}` : undefined;
}

/** The artboard or the object to which an address may lead within a map, by identifier or name: only one that is a fragment alone does. */
export function placeInLink(address: string): string | undefined {
  const text = address.trim();
  if (!text.startsWith('#')) return undefined;
  const place = text.slice(1).trim();
  try {
    return decodeURIComponent(place) || undefined;
  } catch {
    // Not encoded: `#100 %`.
    return place;
  }
}
