/** The ways to start a first map, each with a picture: a plan, places from a file, live data, an example. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { FileButton } from '../ui/file-button.tsx';
import { type ExampleName, exampleNames } from './example-projects.ts';
import { startPictures } from './start-pictures.tsx';

interface Props {
  readonly isBusy: boolean;
  readonly onPlan: (files: FileList | null) => Promise<void>;
  /** Files of places, and exported projects. */
  readonly onImport: (files: FileList | null) => Promise<void>;
  readonly onLive: () => Promise<void>;
  readonly onExample: (name: ExampleName) => Promise<void>;
  readonly onEmpty: () => Promise<void>;
  readonly onAllExamples: () => Promise<void>;
}

const accepted = {
  plan: 'image/*',
  places: '.csv,.tsv,.txt,.xlsx,.json,.geojson,.geojsonl,.topojson,.umap,.kml,.kmz,.gpx,.wkt,.svg,.zip',
} as const;

export function Starts({ isBusy, onPlan, onImport, onLive, onExample, onEmpty, onAllExamples }: Props) {
  const t = lateTexts.starts;
  const isChoosing = useSignal(false);
  return (
    <>
      <ul class="starts">
        {(['plan', 'places'] as const).map((name) => (
          <li key={name}>
            <label class="start">
              <Face name={name} />
              <input
                type="file"
                accept={accepted[name]}
                multiple={name === 'plan'}
                disabled={isBusy}
                onChange={(event) => {
                  const input = event.currentTarget;
                  void (name === 'plan' ? onPlan : onImport)(input.files).finally(() => {
                    // So that the same file can be chosen again.
                    input.value = '';
                  });
                }}
              />
            </label>
          </li>
        ))}
        <li>
          <button type="button" class="start" disabled={isBusy} onClick={() => void onLive()}>
            <Face name="live" />
          </button>
        </li>
        <li>
          <button
            type="button"
            class="start"
            disabled={isBusy}
            aria-expanded={isChoosing.value}
            onClick={() => {
              isChoosing.value = !isChoosing.value;
            }}
          >
            <Face name="example" />
          </button>
        </li>
      </ul>
      {isChoosing.value && <Examples {...{ isBusy, onExample, onAllExamples }} />}
      <div class="row">
        <Button icon="plus" label={lateTexts.cards.create} disabled={isBusy} onClick={() => void onEmpty()} />
        <FileButton label={lateTexts.cards.importFile} onFiles={onImport} />
        <span class="hint">{t.dropHere}</span>
      </div>
    </>
  );
}

function Face({ name }: { readonly name: keyof typeof startPictures }) {
  const [title, text] = lateTexts.starts.choices[name];
  return (
    <>
      {startPictures[name]}
      <span class="start-title">{title}</span>
      <span class="start-text">{text}</span>
    </>
  );
}

function Examples({ isBusy, onExample, onAllExamples }: Pick<Props, 'isBusy' | 'onExample' | 'onAllExamples'>) {
  const t = lateTexts.starts;
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => list.current?.querySelector('button')?.focus(), []);
  return (
    <section class="example-choice" aria-label={t.chooseExample}>
      <ul ref={list}>
        {exampleNames.map((name) => {
          const [title, text] = t.examples[name];
          return (
            <li key={name}>
              <button type="button" disabled={isBusy} onClick={() => void onExample(name)}>
                <span class="start-title">{title}</span>
                <span class="start-text">{text}</span>
              </button>
            </li>
          );
        })}
      </ul>
      <Button label={t.allExamples} class="link" disabled={isBusy} onClick={() => void onAllExamples()} />
    </section>
  );
}
