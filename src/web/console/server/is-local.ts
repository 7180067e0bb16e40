/** Which addresses do not open everywhere: on one machine only, or in one network. */

/** Names and addresses of the machine itself. */
const own = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/;
/** Private addresses of RFC 1918, RFC 3927, RFC 4193 and RFC 4291, and names of local networks. */
const near =
  /^(?:10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|169\.254\.\d+\.\d+|\[f[cd][\da-f]{2}:.*\]|\[fe[89ab][\da-f]:.*\]|.*\.local|[^.:[\]]+)$/;

/** Whether an address works only in browsers on the machine of the server (`own`), or only in its network (`near`). */
export function reachOf(address: string): 'own' | 'near' | 'public' {
  const { hostname } = new URL(address);
  return own.test(hostname) ? 'own' : near.test(hostname) ? 'near' : 'public';
}
