/** The placemarks of KML. */
import { hasTags } from '../../../../lib/html/clean-html.ts';
import { contentOf } from '../../../../lib/html/content-of.ts';
import type { Notes } from '../../notes.ts';
import { shortened } from '../../short-text.ts';
import { shapesIn } from './kml-geometry.ts';
import { KmlStyles } from './kml-styles.ts';
import { type XmlFeature, XmlTexts } from './xml-texts.ts';
import type { XmlElement } from './xml-tree.ts';

/** Folders in each other. */
const depthMax = 100;

/** Elements of KML that have no place of their own. */
const unsupported: Readonly<Record<string, string>> = {
  GroundOverlay: 'Pictures on the ground (GroundOverlay) are left out.',
  PhotoOverlay: 'Photographs (PhotoOverlay) are left out.',
  ScreenOverlay: 'Pictures on the screen (ScreenOverlay) are left out.',
  Tour: 'Tours are left out.',
};
const model = 'Three-dimensional models are left out.';

/** A KML document: placemarks with the folders around them, styles, and labels of columns. */
interface Found {
  readonly placemarks: { readonly element: XmlElement; readonly folder: string }[];
  readonly styles: KmlStyles;
  /** Labels of fields by identifier of their schema. */
  readonly labels: Map<string, ReadonlyMap<string, string>>;
  /** Names of elements that are placemarks, by a schema of KML 2.0. */
  readonly placemarkNames: Set<string>;
  isRead(address: string): boolean;
}

/** The placemarks of a document, in their order. Elements without a place are noted. @param isRead whether the file behind a link is read */
export function* kmlFeatures(root: XmlElement, isRead: Found['isRead'], notes: Notes): Generator<XmlFeature> {
  const found: Found = {
    placemarks: [],
    styles: new KmlStyles(),
    labels: new Map(),
    placemarkNames: new Set(['Placemark']),
    isRead,
  };
  collect(root, '', found, notes, 0);
  for (const { element, folder } of found.placemarks) {
    const { shapes, bad } = shapesIn(element);
    const texts = textsOf(element, folder, found.labels);
    const why = element.child('Model') === undefined ? undefined : model;
    yield { texts, shapes, bad, style: found.styles.of(element, shapes), why };
  }
}

/** Finds placemarks, styles and schemas in an element. @param folder names of the folders around it */
function collect(element: XmlElement, folder: string, found: Found, notes: Notes, depth: number): void {
  const name = element.name;
  if (found.placemarkNames.has(name)) {
    found.placemarks.push({ element, folder });
    return;
  }
  if (name === 'Style' || name === 'StyleMap') found.styles.add(element);
  else if (name === 'Schema') {
    found.labels.set(element.attribute('id'), labelsIn(element));
    if (element.attribute('parent') === 'Placemark') found.placemarkNames.add(element.attribute('name'));
  } else if (name === 'NetworkLink') noteLink(element, found, notes);
  else if (Object.hasOwn(unsupported, name)) notes.leaveOut('unsupported', whereIs(element), unsupported[name] as string);
  else if (depth === depthMax) notes.leaveOut('depth', whereIs(element), `More than ${depthMax} folders are within each other.`);
  else {
    const own = name === 'Folder' ? element.textOf('name') : undefined;
    const path = own === undefined ? folder : folder === '' ? own : `${folder} / ${own}`;
    for (const child of element.children) collect(child, path, found, notes, depth + 1);
  }
}

/** `NetworkLink, My map` */
function whereIs(element: XmlElement): string {
  const name = element.textOf('name');
  return name === undefined ? element.name : `${element.name}, ${shortened(name, 60)}`;
}

function noteLink(element: XmlElement, { isRead }: Found, notes: Notes): void {
  const link = element.child('Link') ?? element.child('Url');
  const address = link?.textOf('href');
  if (address !== undefined && isRead(address)) return;
  const what = address === undefined ? 'those files' : `what is saved from ${shortened(address, 300)}`;
  const detail = `Links to other files (NetworkLink) are not followed: import ${what} as well.`;
  notes.leaveOut('unsupported', whereIs(element), detail);
}

const labelsIn = (schema: XmlElement): Map<string, string> =>
  new Map(
    schema.children.flatMap((field) => {
      const label = labelOf(field);
      return label === undefined ? [] : [[field.attribute('name'), label] as const];
    }),
  );

/** A name for people, without markup. */
function labelOf(element: XmlElement): string | undefined {
  const label = element.textOf('displayName');
  return (label !== undefined && hasTags(label) ? contentOf(label).text : label) || undefined;
}

function textsOf(element: XmlElement, folder: string, labels: Found['labels']): XmlTexts {
  const texts = new XmlTexts();
  const name = element.textOf('name');
  texts.add('name', name !== undefined && hasTags(name) ? contentOf(name).text : name);
  texts.add('folder', folder);
  for (const column of ['address', 'phoneNumber']) texts.add(column, element.textOf(column));
  texts.addContent('description', element.child('description')?.content());
  const snippet = element.textOf('Snippet') ?? element.textOf('snippet');
  if (snippet !== undefined && contentOf(snippet).text !== texts.values.get('description')) texts.addContent('snippet', snippet);
  texts.add('link', element.child('link')?.attribute('href'));
  const author = element.child('author');
  texts.add('author', author?.textOf('name'));
  texts.add('gx_media_links', mediaIn(element));
  const [stamp, span] = [element.child('TimeStamp'), element.child('TimeSpan')];
  texts.add('timestamp', stamp?.textOf('when'));
  for (const end of ['begin', 'end']) texts.add(end, span?.textOf(end));
  for (const container of ['ExtendedData', 'Metadata']) for (const data of element.all(container)) addData(data, texts, labels);
  if (!texts.values.has('id')) texts.add('id', element.attribute('id'));
  return texts;
}

/** Addresses of pictures, with blanks between them. */
function mediaIn(element: XmlElement): string | undefined {
  const links = element.children.flatMap((child) => {
    if (child.name === 'media_links') return [child.content()];
    if (child.name !== 'Carousel') return [];
    return child.all('Image').map((image) => image.textOf('ImageUrl') ?? image.textOf('imageUrl') ?? '');
  });
  return links.filter((link) => link !== '').join(' ') || undefined;
}

/** The columns that a file adds to those of KML. */
function addData(container: XmlElement, texts: XmlTexts, labels: Found['labels']): void {
  const other: string[] = [];
  for (const child of container.children) {
    const kind = child.name;
    if (kind === 'Data') texts.addNamed(labelOf(child) ?? (child.attribute('name') || 'data'), child.textOf('value') ?? '');
    else if (kind === 'SchemaData') {
      const label = labels.get(child.attribute('schemaUrl').replace(/^.*#/, ''));
      for (const simple of child.all('SimpleData')) {
        const name = simple.attribute('name') || 'data';
        texts.addNamed(label?.get(name) ?? name, simple.content());
      }
    } else other.push(kind);
  }
  if (other.length > 0) texts.addElements(container, (name) => name === 'Data' || name === 'SchemaData');
}
