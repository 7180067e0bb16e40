/** Openings of a published map by day, as bars, and the same numbers as a table. */
import type { Visits } from '../../client/client.ts';
import { number } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';

type Day = Visits['days'][number];

/** The size of the drawing, which is scaled to the width of the panel. */
const size = { width: 600, height: 120 };
/** Between two bars, in parts of the room of a day. */
const gap = 0.2;

const dayText = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** A day of UTC, as people write it. */
export const dayOf = (date: string): string => dayText.format(new Date(date));

export function VisitsChart({ days }: { readonly days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ opened }) => opened));
  const each = size.width / Math.max(1, days.length);
  const t = lateTexts.publish.visits;
  const [first, last] = [days[0], days.at(-1)];
  return (
    <figure class="visits-chart">
      <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" role="img" aria-label={t.chart(days.length)}>
        {days.map(({ date, opened }, at) => {
          const height = (opened / most) * size.height;
          return (
            <rect key={date} x={(at + gap / 2) * each} y={size.height - height} width={each * (1 - gap)} height={height}>
              <title>{t.day(dayOf(date), opened)}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        <span>{first && dayOf(first.date)}</span>
        <span>{t.most(most)}</span>
        <span>{last && dayOf(last.date)}</span>
      </figcaption>
      <details>
        <summary>{t.asTable}</summary>
        <table>
          <thead>
            <tr>
              {[t.date, t.opened, t.places, t.searches].map((text) => (
                <th key={text} scope="col">
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map(({ date, opened, places, searches }) => (
              <tr key={date}>
                <th scope="row">{dayOf(date)}</th>
                {[opened, places, searches].map((count, at) => (
                  <td key={at}>{number.format(count)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
