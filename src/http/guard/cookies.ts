/** Cookies of a request (RFC 6265), and the port that tells the cookies of servers on one host apart: cookies ignore ports. */

/** The cookies in a `Cookie` header, in their order. */
export function* cookiesIn(header: string | undefined): Generator<readonly [name: string, value: string], void> {
  for (const pair of (header ?? '').split(';')) {
    const [name = '', value = ''] = pair.split('=', 2);
    yield [name.trim(), value.trim()];
  }
}

/** The port of an address of http(s). */
export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);
