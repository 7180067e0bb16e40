/** One object as visitors will see it: its category, and the details that the viewer makes of its popup and its fields. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Conversion } from '../../convert/converter.ts';
import { type Corner, needsPanel, readMap } from '../../viewer/drawing/map-document.ts';
import { detailsSheet } from '../../viewer/element/details/details-style.ts';
import type { DetailsContent } from '../../viewer/element/details/details-view.ts';
import { fieldRows } from '../../viewer/element/details/field-rows.ts';
import { make } from '../../viewer/element/dom.ts';
import { elementSheet } from '../../viewer/element/map-element-style.ts';
import { type Details, ShownMap } from '../../viewer/element/shown-map.ts';
import { textsFor } from '../../viewer/element/texts.ts';
import { lateTexts } from '../late-texts.ts';
import { IconButton } from '../ui/icons.tsx';
import type { ImportModel } from './import-model.ts';
import { Swatch } from './visitor-choices.tsx';

/** The content, and where visitors see it. */
interface Opened extends DetailsContent {
  /** False for a card on the map. */
  readonly isInPanel: boolean;
}

interface Props {
  readonly run: ImportModel;
  readonly conversion: Conversion;
}

export function RowPreview({ run, conversion }: Props) {
  const t = lateTexts.imports;
  const chosen = useSignal(0);
  const { objects, categories } = conversion;
  const at = Math.min(chosen.value, objects.length - 1);
  const object = objects[at];
  if (object === undefined) return null;
  const content = contentOf(run, conversion, at);
  const category = categories.find(({ name }) => name === object.body['category']);
  const move = (by: number) => {
    chosen.value = (at + by + objects.length) % objects.length;
  };
  return (
    <section class="import-preview" aria-labelledby="import-preview-title">
      <div class="row">
        <h3 id="import-preview-title">{t.preview}</h3>
        {objects.length > 1 && (
          <>
            <IconButton icon="back" label={t.previousRow} onClick={() => move(-1)} />
            <IconButton icon="chevron" label={t.nextRow} onClick={() => move(1)} />
          </>
        )}
      </div>
      <p class="hint" role="status">
        {t.previewOf(object.at, at + 1, objects.length)}
      </p>
      {category !== undefined && (
        <p class="import-categories">
          <span>
            {run.choices.value.mapping.color === undefined && <Swatch color={category.color} />}
            {category.name}
          </span>
        </p>
      )}
      {content === undefined ? <p>{t.previewEmpty}</p> : <Card content={content} />}
      {content?.details.hasPopup === true && <p class="hint">{t.previewPlain}</p>}
    </section>
  );
}

/** The content of the viewer's details; undefined if a click opens nothing. */
function contentOf(run: ImportModel, conversion: Conversion, at: number): Opened | undefined {
  const { body } = conversion.objects[at] ?? { body: {} };
  const id = 'preview';
  const popups = conversion.popups.filter(({ object }) => object === at).map((popup) => ({ ...popup.body, attachedTo: id }));
  const document = {
    settings: run.settingsAfter.value,
    artboards: [{ ...run.artboardAfter, objects: [{ ...body, id }] }],
    popups,
  };
  const map = readMap(document);
  const shown = new ShownMap({ map, document, version: undefined, filesBase: undefined });
  const [artboard] = shown.artboards;
  const details = artboard?.objects[0] && shown.detailsOf(artboard.objects[0]);
  if (artboard === undefined || details === undefined) return undefined;
  const { languages } = navigator;
  const content = { details, artboard, point: pointOf(details.object), texts: textsFor(languages), languages };
  return { ...content, filesBase: undefined, isInPanel: needsPanel(map) };
}

const pointOf = ({ type, x, y, coords }: Details['object']): Corner | undefined => (type === 'spot' ? { x, y } : coords[0]);

/** A title and the rows of the viewer. The console makes no markup of text, so the content of a popup is shown without it. */
function Card({ content }: { readonly content: Opened }) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [elementSheet(), detailsSheet()];
    const { popup, object, hasPopup } = content.details;
    const text = plainText(popup.content);
    root.replaceChildren(
      make(
        'div',
        { className: 'about' },
        make('h2', { textContent: popup.title || object.name }),
        ...(text === '' ? [] : [make('div', { className: 'content plain', textContent: text })]),
        // In a card, a popup says everything by itself.
        ...(hasPopup && !content.isInPanel ? [] : fieldRows(content)),
      ),
    );
  }, [content]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: its links lead nowhere, with the keyboard, too
    <div class="import-card" ref={host} onClick={(event) => event.preventDefault()} />
  );
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** Content of a template as text: the converter has escaped the values in it. */
const plainText = (html: string): string =>
  html
    .replace(/<(?:br|\/p|\/li|\/h\d|\/div)[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(lt|gt|quot|#39|amp);/g, (whole, name: string) => entities[name] ?? whole)
    .trim();
