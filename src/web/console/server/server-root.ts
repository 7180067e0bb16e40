/** Where the server is, seen from this page: `https://maps.example/base/` for a page at `https://maps.example/base/console`. */
export const serverRoot = (): string => new URL('.', location.href).href;
