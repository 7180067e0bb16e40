/** Names of maps. */

/** Form of the readable address of a published map. Shorter than a slug, so no name has the form of one. */
export const mapNameForm = /^[0-9a-z-]{3,26}$/;

/** The name of a project as visitors read it, without its folders: they are for those who edit it. '' for none. */
export const visibleName = (name: string): string => name.split('/').at(-1)?.trim() ?? '';
