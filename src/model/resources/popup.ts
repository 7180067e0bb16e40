/** A popup of an object. Its members are camelCase, as in the contract; those of all other resources are snake_case. */
import Type, { type Static } from 'typebox';
import { flag, html, linkAddress, number, oneOf, pictureAddress, readOnlyText, reference, text } from '../members.ts';

export const PopupSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    name: text('Untitled Popup', { description: 'Display name' }),
    attachedTo: reference('objects', {
      description: 'Identifier of the object it is attached to',
      'x-form': { label: 'Attached to' },
    }),
    maxWidth: number(500, { description: 'Pixels', 'x-form': { label: 'Maximum width', hint: true, drawn: { minimum: 1 } } }),
    title: text('', { description: 'Heading' }),
    image: pictureAddress({ description: 'Image URL' }),
    content: html({ description: 'HTML or text', 'x-form': { hint: true } }),
    buttonText: text('', { description: 'Label of the button', 'x-form': { label: 'Button label', section: 'button' } }),
    buttonAction: oneOf(['follow-link', 'none'], 'follow-link', {
      description: 'Effect of the button',
      'x-form': { label: 'Button does', section: 'button', choices: { 'follow-link': 'Follow the link', none: 'Nothing' } },
    }),
    buttonLink: linkAddress({
      description: 'Target of "follow-link"',
      'x-form': { label: 'Button link', section: 'button', when: { buttonAction: 'follow-link' } },
    }),
    openLinkInNewTab: flag(false, {
      description: 'For "follow-link"',
      'x-form': { label: 'Open the link in a new tab', section: 'button', when: { buttonAction: 'follow-link' } },
    }),
  },
  {
    title: 'Popup',
    description: 'Opens at an object. Its members are camelCase; those of all other resources are snake_case.',
    additionalProperties: false,
  },
);

export type Popup = Static<typeof PopupSchema>;
