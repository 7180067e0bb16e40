/** Form of the readable address of a published map. Shorter than a slug, so no name has the form of one. */
export const mapNameForm = /^[0-9a-z-]{3,26}$/;
