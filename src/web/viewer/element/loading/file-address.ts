/** Addresses of files of a project: the path alone, which is below the address of its server. */

/** @param filesBase address of the server; without it, an address stays as it is */
export const loadedFrom = (address: string, filesBase: string | undefined): string => {
  const trimmed = address.trim();
  return filesBase !== undefined && trimmed.startsWith('/f/') ? filesBase + trimmed : address;
};
