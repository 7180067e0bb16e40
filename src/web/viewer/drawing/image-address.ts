/** Whether an image may be loaded from an address: http(s), relative, or an image in the address itself. */
export function isImageAddress(address: string): boolean {
  if (address.trim() === '' || !URL.canParse(address, document.baseURI)) return false;
  const { protocol, href } = new URL(address, document.baseURI);
  return protocol === 'https:' || protocol === 'http:' || protocol === 'blob:' || /^data:image\//i.test(href);
}
