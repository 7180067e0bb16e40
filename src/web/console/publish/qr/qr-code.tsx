/** The QR code of a published map, or of one place in it. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { visibleName } from '../../../../lib/draw/map-name.ts';
import { fileNameOf } from '../../../../lib/draw/saved-name.ts';
import type { Publication } from '../../../client/client.ts';
import type { MapDocument } from '../../../viewer/drawing/map-document.ts';
import { texts } from '../../console-texts.ts';
import type { EditorModel } from '../../editor/editor-model.ts';
import { matching } from '../../forms/controls/targets/link-target.ts';
import { TargetBox } from '../../forms/controls/targets/target-box.tsx';
import { lateTexts } from '../../late-texts.ts';
import { readPublicMap } from '../../server/public-copy.ts';
import { HintedField } from '../../ui/hinted-field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { placeAddress, placesIn } from './code-places.ts';
import { QrFigure } from './qr-figure.tsx';

interface Props {
  readonly model: EditorModel;
  readonly publication: Publication;
  /** The address of the public page. */
  readonly address: string;
}

const choices = ['map', 'place'] as const;

export function QrCode(props: Props) {
  const { store } = props.model.document;
  const choice = useSignal<(typeof choices)[number]>('map');
  const name = visibleName(String(store.shown(store.id)?.['name'] ?? ''));
  const fileStart = props.publication.name || name;
  const t = lateTexts.publish.qr;
  return (
    <>
      <p>{t.about}</p>
      <fieldset class="row wrap plain">
        <legend class="sr-only">{t.opens}</legend>
        {choices.map((each) => (
          <label key={each} class="check">
            <input
              type="radio"
              name="qr-choice"
              checked={choice.value === each}
              onChange={() => {
                choice.value = each;
              }}
            />
            {t.choice[each]}
          </label>
        ))}
      </fieldset>
      {choice.value === 'map' ? (
        <QrFigure address={props.address} name={name} fileName={`${fileNameOf(fileStart)}.svg`} />
      ) : (
        <OfPlace {...props} fileStart={fileStart} />
      )}
    </>
  );
}

/** The public map of a publication; `undefined` until it is loaded. */
function usePublicMap({ slug, version }: Publication) {
  const found = useSignal<MapDocument | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    let isHere = true;
    readPublicMap(slug).then(
      (map) => {
        if (!isHere) return;
        found.value = map;
        problem.value = '';
      },
      (error: Error) => {
        if (isHere) problem.value = error.message;
      },
    );
    return () => {
      isHere = false;
    };
  }, [slug, version]);
  return { map: found.value, problem: problem.value };
}

function OfPlace(props: Props & { readonly fileStart: string }) {
  const { map, problem } = usePublicMap(props.publication);
  if (problem !== '') return <Problem text={problem} />;
  if (map === undefined) return <p>{texts.loading}</p>;
  return <PlaceCode {...props} map={map} />;
}

function PlaceCode(props: Props & { readonly map: MapDocument; readonly fileStart: string }) {
  const { model, map } = props;
  const selected = model.selection.selectedObjects.map(({ id }) => id);
  const chosen = useSignal(selected[0]);
  const query = useSignal<string | undefined>(undefined);
  const places = useMemo(() => placesIn(map, new Set(selected)), [map, selected.join()]);
  const place = places.find(({ id }) => id === chosen.value);
  const address = place && placeAddress(props.address, map, place.id);
  const t = lateTexts.publish.qr;
  const unpublished = chosen.value === undefined || place !== undefined ? undefined : model.document.store.shown(chosen.value);
  const isUnknown = query.value !== undefined && matching(places, query.value).length === 0;
  return (
    <>
      <HintedField
        id="qr-place"
        label={t.place}
        hint={place !== undefined && address?.endsWith(place.id) ? t.byIdentifier : t.byName}
        problem={isUnknown ? t.unknown : unpublished ? t.unpublished(String(unpublished['name'] || texts.unnamed)) : ''}
      >
        {(described) => (
          <TargetBox
            input={{
              ...described,
              placeholder: texts.forms.searchTarget,
              value: query.value ?? place?.name ?? '',
              onClick: () => {
                query.value = '';
              },
            }}
            label={t.place}
            targets={places}
            query={query.value}
            first={0}
            onQuery={(text) => {
              query.value = text;
            }}
            onChoose={(id) => {
              chosen.value = id;
            }}
          />
        )}
      </HintedField>
      {place !== undefined && address !== undefined && !isUnknown && (
        <QrFigure address={address} name={place.name} fileName={`${fileNameOf(props.fileStart, place.name)}.svg`} />
      )}
    </>
  );
}
