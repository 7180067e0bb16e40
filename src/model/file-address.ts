/** The public address of a file: `/f/<slug>/<name>`. Its slug has the form of a publication's; any name leads to the same file. */

/** @param name as it is shown to people */
export const fileAddress = (slug: string, name: string): string => `/f/${slug}/${encodeURIComponent(name)}`;

/** The slug in a stored address. */
export const slugOfAddress = (address: string): string => address.split('/')[2] ?? '';
