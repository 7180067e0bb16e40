/** Where the API is, by what people give as the address of a server. */

/** Root of the API: `baseUrl` itself where it ends in `/v1`, else what the server serves below it. */
export function rootOf(baseUrl: string): string {
  const root = baseUrl.replace(/\/+$/, '');
  return /\/v1$/.test(root) ? root : `${root}/api/v1`;
}
