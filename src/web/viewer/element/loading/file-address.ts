/** Addresses of files of a project: the path alone, or below the public address of their server. */

/** Where files of a map are. */
export interface FilesBase {
  /** Address before `/f/…` from which they are loaded, without a slash at its end. */
  readonly url: string;
  /** Public address of the server that they were copied from: addresses below it are those of copies. */
  readonly copiedFrom?: string | undefined;
}

/** @param filesBase without it, an address stays as it is */
export function loadedFrom(address: string, filesBase: FilesBase | undefined): string {
  const trimmed = address.trim();
  if (filesBase === undefined) return address;
  const { url, copiedFrom } = filesBase;
  if (trimmed.startsWith('/f/')) return url + trimmed;
  const isCopied = copiedFrom !== undefined && trimmed.startsWith(`${copiedFrom}/f/`);
  return isCopied ? url + trimmed.slice(copiedFrom.length) : address;
}
