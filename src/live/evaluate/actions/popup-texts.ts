/** Texts of a popup and the members of an action that set them. */
export const popupTexts = [
  ['title', 'popup_title', 'text'],
  ['image', 'popup_image', 'picture'],
  ['content', 'popup_content', 'html'],
  ['buttonText', 'popup_button_text', 'text'],
  ['buttonLink', 'popup_button_link', 'link'],
] as const;
