/** Addresses and CIDR ranges of addresses, as options and headers write them. */
import net from 'node:net';

/** An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) as IPv4; any other text unchanged. */
export function unmapped(address: string): string {
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
}

/**
 * The one way to write an address: IPv6 compressed, in lower case, an IPv4-mapped address as IPv4. `undefined` for an address with a zone
 * (`fe80::1%eth0`) and for any other text.
 */
export function canonicalAddress(text: string): string | undefined {
  if (net.isIPv4(text)) return text;
  if (!net.isIPv6(text) || text.includes('%')) return undefined;
  return unmapped(new net.SocketAddress({ address: text, family: 'ipv6' }).address);
}

/**
 * Whether a text is an address or a range such as `10.0.0.0/8`, not in IPv4-mapped form.
 *
 * @param bitsMin shortest prefix of a range, in bits
 */
export function isAddressRange(text: string, bitsMin: number): boolean {
  const [address = '', bits, ...more] = text.split('/');
  if (more.length > 0 || address.includes('%') || net.isIP(address) === 0 || canonicalFamily(address) !== net.isIP(address))
    return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= bitsMin && Number(bits) <= bitsOf(address));
}

/** The list of the given addresses and ranges, which {@link isAddressRange} accepts. */
export function blockListOf(ranges: readonly string[]): net.BlockList {
  const list = new net.BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits ?? bitsOf(address)), familyOf(address));
  }
  return list;
}

/** Whether a list contains an address in the form of {@link canonicalAddress}. */
export const listContains = (list: net.BlockList, address: string): boolean => list.check(address, familyOf(address));

const familyOf = (address: string): 'ipv4' | 'ipv6' => (net.isIPv4(address) ? 'ipv4' : 'ipv6');
const bitsOf = (address: string): number => (net.isIPv4(address) ? 32 : 128);
const canonicalFamily = (address: string): number => net.isIP(canonicalAddress(address) ?? '');
