/** Where the server is, seen from this page: `https://maps.example/base/` for a page at `https://maps.example/base/console`. */
export const serverRoot = (): string => new URL('.', location.href).href;

/** An address in a project as this page loads it: the path of a file is below the server, which may be below a path itself. */
export const loadedAddress = (address: string): string => (address.startsWith('/f/') ? serverRoot() + address.slice(1) : address);
