/** The ratios as a picture: bars on a logarithmic scale with the goals as ticks, readable on light and on dark pages. */
import { verdict } from '../lib/rows.ts';
import type { Row } from '../row.ts';
import type { Results } from './files.ts';

type Rated = Row & { readonly ratio: number };

/** Pixels. */
const charWidth = 6.8; // of the widest of the usual fonts, on average
const barsWidth = 370;
const valueWidth = 140;
const rowHeight = 22;
const barHeight = 12;

/** One panel for what should be large, one for what should be small; rows without a goal or without a ratio are left to the table. */
export function picture({ rows, date, commit, machine }: Results): string {
  const rated = rows.filter((row): row is Rated => row.ratio !== undefined && row.goal !== undefined);
  const fast = rated.filter(({ goal }) => goal !== undefined && 'atLeast' in goal);
  const flat = rated.filter(({ goal }) => goal !== undefined && 'atMost' in goal);
  const labelWidth = Math.max(260, ...rated.map(({ what }) => Math.ceil(what.length * charWidth) + 10));
  const width = labelWidth + barsWidth + valueWidth;
  let y = 20;
  const parts: string[] = [];
  for (const [title, panel] of [
    ['Ours divided by the other: more is better', fast],
    ['Ours divided by the other: less is better', flat],
  ] as const) {
    if (panel.length === 0) continue;
    parts.push(drawPanel(title, panel, y, labelWidth));
    y += (panel.length + 2) * rowHeight + 14;
  }
  const about = `${date}, commit ${commit}; ${machine}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 24}" role="img" aria-label="Ratios of ours to the others">
<style>
text { font: 12px system-ui, sans-serif; fill: #1f2937 }
.small { font-size: 10px; fill: #6b7280 }
.head { font-weight: 600 }
.ok { fill: #2563eb } .missed { fill: #d97706 } .unclear { fill: #9ca3af }
.goal { stroke: #111827; stroke-width: 2 } .one { stroke: #9ca3af; stroke-dasharray: 2 3 }
@media (prefers-color-scheme: dark) {
text { fill: #e5e7eb } .small { fill: #9ca3af } .ok { fill: #60a5fa } .missed { fill: #fbbf24 } .unclear { fill: #9ca3af }
.goal { stroke: #f9fafb } .one { stroke: #6b7280 }
}
</style>
${parts.join('\n')}
${legend(y)}
<text class="small" x="0" y="${y + 18}">${escaped(about)}</text>
</svg>
`;
}

/** What the colours and the lines mean. */
const legend = (y: number): string => `<rect class="ok" x="0" y="${y - 9}" width="10" height="10" rx="2"/>
<text class="small" x="15" y="${y}">goal reached</text>
<rect class="missed" x="95" y="${y - 9}" width="10" height="10" rx="2"/>
<text class="small" x="110" y="${y}">missed</text>
<rect class="unclear" x="165" y="${y - 9}" width="10" height="10" rx="2"/>
<text class="small" x="180" y="${y}">unclear</text>
<line class="goal" x1="240" x2="240" y1="${y - 11}" y2="${y + 3}"/>
<text class="small" x="246" y="${y}">goal</text>
<line class="one" x1="290" x2="290" y1="${y - 11}" y2="${y + 3}"/>
<text class="small" x="296" y="${y}">1: both the same (logarithmic scale)</text>`;

function drawPanel(title: string, rows: readonly Rated[], top: number, labelWidth: number): string {
  const values = rows.flatMap((row) => [row.ratio, goalOf(row)]);
  const low = Math.min(...values, 0.5);
  const high = Math.max(...values, 2);
  const at = (value: number): number => labelWidth + (Math.log(value / low) / Math.log(high / low)) * barsWidth;
  const bottom = top + (rows.length + 1) * rowHeight;
  const bars = rows.map((row, i) => {
    const y = top + (i + 1) * rowHeight;
    const middle = y + barHeight / 2;
    const [from, to] = [Math.min(at(1), at(row.ratio)), Math.max(at(1), at(row.ratio))];
    const goal = at(goalOf(row));
    return `<text x="${labelWidth - 10}" y="${middle + 4}" text-anchor="end">${escaped(row.what)}</text>
<rect class="${verdict(row)}" x="${px(from)}" y="${y}" width="${px(Math.max(2, to - from))}" height="${barHeight}" rx="2"/>
<line class="goal" x1="${px(goal)}" x2="${px(goal)}" y1="${y - 2}" y2="${y + barHeight + 2}"/>
<text x="${labelWidth + barsWidth + valueWidth}" y="${middle + 4}" text-anchor="end">${times(row.ratio)} (goal ${signOf(row)} ${goalOf(row)})</text>`;
  });
  return `<text class="head" x="0" y="${top}">${escaped(title)}</text>
<line class="one" x1="${px(at(1))}" x2="${px(at(1))}" y1="${top + 8}" y2="${bottom}"/>
${bars.join('\n')}`;
}

const goalOf = ({ goal, ratio }: Rated): number => (goal === undefined ? ratio : 'atLeast' in goal ? goal.atLeast : goal.atMost);

const signOf = ({ goal }: Rated): string => (goal !== undefined && 'atMost' in goal ? '≤' : '≥');

const times = (ratio: number): string => (ratio >= 10 ? ratio.toFixed(1) : ratio.toFixed(2));

const px = (value: number): string => value.toFixed(1);

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
