/** How often a published map was opened, and its places. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Visits } from '../../client/client.ts';
import { saveFile } from '../../viewer/element/dom.ts';
import { number } from '../console-texts.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { lateTexts } from '../late-texts.ts';
import { reasonOf } from '../server/reason-of.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { Select } from '../ui/select.tsx';
import { askVisits, askVisitsTable } from './ask-publication.ts';
import { VisitsChart } from './visits-chart.tsx';

/** Days that a user can choose; the server keeps as many as the last one. */
const spans = ['7', '30', '90', '400'] as const;
/** Places in the list of the most opened ones. */
const placesShown = 10;

/** @param version of the publication: a new one may have other names */
export function VisitsSection({ project, version }: { readonly project: ProjectDocument; readonly version: number }) {
  const span = useSignal<(typeof spans)[number]>('30');
  const found = useSignal<Visits | undefined>(undefined);
  const problem = useSignal('');
  const { client } = project.connection.session;
  const fail = (error: Error) => {
    problem.value = reasonOf(error);
  };
  useEffect(() => {
    let isHere = true;
    askVisits(client, project.store.id, Number(span.value)).then(
      (visits) => {
        if (!isHere) return;
        found.value = visits;
        problem.value = '';
      },
      (error: Error) => {
        if (isHere) fail(error);
      },
    );
    return () => {
      isHere = false;
    };
  }, [client, version, span.value]);
  const t = lateTexts.publish.visits;
  const { value: visits } = found;
  const save = () =>
    askVisitsTable(client, project.store.id, Number(span.value)).then(
      (table) => saveFile(new Blob([table], { type: 'text/csv' }), 'visits.csv'),
      fail,
    );
  return (
    <section class="visits" aria-labelledby="visits-title">
      <div class="row">
        <h3 id="visits-title">{t.title}</h3>
        <Select
          aria-label={t.span}
          value={span.value}
          options={spans.map((each) => [each, t.days(Number(each))])}
          onChoose={(each) => {
            span.value = each;
          }}
        />
        <Button label={t.save} onClick={() => void save()} />
      </div>
      <Problem text={problem.value} />
      {visits !== undefined && <Numbers visits={visits} />}
    </section>
  );
}

function Numbers({ visits }: { readonly visits: Visits }) {
  const { counted, opened, searches, days, places } = visits;
  const t = lateTexts.publish.visits;
  const isEmpty = opened === 0 && searches === 0 && places.length === 0;
  return (
    <>
      {!counted && <p class="warning-text">{t.notCounted}</p>}
      <p>{isEmpty ? t.none : t.sum(opened, searches)}</p>
      {!isEmpty && <VisitsChart days={days} />}
      {places.length > 0 && (
        <>
          <h4>{t.mostOpened}</h4>
          <ol class="visited-places">
            {places.slice(0, placesShown).map(({ id, name, opened: count }) => (
              <li key={id}>
                <span>{name ?? t.unknown}</span> <span>{number.format(count)}</span>
              </li>
            ))}
          </ol>
        </>
      )}
      <p class="hint">{t.about}</p>
    </>
  );
}
