/** Finds the API below the address of a server. */

/** The root of the API: `baseUrl` itself if it ends in `/v1`, else `/api/v1` below it. */
export function rootOf(baseUrl: string): string {
  const root = baseUrl.replace(/\/+$/, '');
  return /\/v1$/.test(root) ? root : `${root}/api/v1`;
}
