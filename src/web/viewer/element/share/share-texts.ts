/** Texts of the menu and of the paper, by language. */
import { inLanguage } from '../texts.ts';

const english = {
  view: 'Share this view',
  place: 'Share “{name}”',
  link: 'Link',
  copied: 'The link is copied.',
  copy: 'Copy this link:',
  print: 'Print',
  preparing: 'The map is being drawn …',
  save: 'Save as picture',
  size: 'Size of the picture',
  pixels: '{width} × {height} pixels',
  saved: 'The picture is saved.',
  incomplete: 'Some pictures are left out: they could not be loaded, or their site does not allow other pages to copy them.',
  failed: 'The map could not be drawn in this size. Choose a smaller one.',
  places: 'Places',
  other: 'Other places',
  more: '{count} of {total} places are listed. Print a smaller part of the map to see the others.',
};

export type ShareTexts = Readonly<typeof english>;

const german: ShareTexts = {
  view: 'Diese Ansicht teilen',
  place: '„{name}“ teilen',
  link: 'Link',
  copied: 'Der Link ist kopiert.',
  copy: 'Kopieren Sie diesen Link:',
  print: 'Drucken',
  preparing: 'Die Karte wird gezeichnet …',
  save: 'Als Bild speichern',
  size: 'Größe des Bildes',
  pixels: '{width} × {height} Pixel',
  saved: 'Das Bild ist gespeichert.',
  incomplete:
    'Einige Bilder fehlen: Sie konnten nicht geladen werden, oder ihre Website erlaubt anderen Seiten nicht, sie zu kopieren.',
  failed: 'Die Karte konnte in dieser Größe nicht gezeichnet werden. Wählen Sie eine kleinere.',
  places: 'Orte',
  other: 'Weitere Orte',
  more: '{count} von {total} Orten sind aufgeführt. Drucken Sie einen kleineren Teil der Karte, um die anderen zu sehen.',
};

export const shareTextsFor = (languages: readonly string[]): ShareTexts =>
  inLanguage({ en: english, de: german }, languages) ?? english;
