/** A popup of an object. Its members are camelCase, as in the contract; those of all other resources are snake_case. */
import Type, { type Static } from 'typebox';
import { flag, html, linkAddress, number, oneOf, pictureAddress, readOnlyText, reference, text } from '../members.ts';

export const PopupSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    name: text('Untitled Popup', { description: 'Display name' }),
    attachedTo: reference('objects', 'Identifier of the object it is attached to'),
    maxWidth: number(500, { description: 'Pixels' }),
    title: text('', { description: 'Heading' }),
    image: pictureAddress('Image URL'),
    content: html('HTML or text'),
    buttonText: text('', { description: 'Label of the button' }),
    buttonAction: oneOf(['follow-link', 'none'], 'follow-link', { description: 'Effect of the button' }),
    buttonLink: linkAddress('Target of "follow-link"'),
    openLinkInNewTab: flag(false, { description: 'For "follow-link"' }),
  },
  {
    title: 'Popup',
    description: 'Opens at an object. Its members are camelCase; those of all other resources are snake_case.',
    additionalProperties: false,
  },
);

export type Popup = Static<typeof PopupSchema>;
