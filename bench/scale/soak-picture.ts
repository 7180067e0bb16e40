/** A soak as a picture: memory above, delays of the event loop below, over the minutes. Readable on light and on dark ground. */

export interface Sample {
  /** Since the beginning. */
  readonly minute: number;
  readonly rssMb: number;
  readonly heapMb: number;
  readonly externalMb: number;
  /** Of the time since the sample before. */
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  readonly pauseMaxMs: number;
  /** Answers in a second. */
  readonly rate: number;
}

interface Curve {
  readonly name: string;
  readonly colour: string;
  readonly value: (sample: Sample) => number;
}

const memory: readonly Curve[] = [
  { name: 'resident set', colour: '#3b82f6', value: ({ rssMb }) => rssMb },
  { name: 'heap', colour: '#f59e0b', value: ({ heapMb }) => heapMb },
  { name: 'buffers outside of it', colour: '#10b981', value: ({ externalMb }) => externalMb },
];
const delay: readonly Curve[] = [
  { name: 'longest', colour: '#ef4444', value: ({ delayMaxMs }) => delayMaxMs },
  { name: 'p99', colour: '#8b5cf6', value: ({ delayP99Ms }) => delayP99Ms },
];

/** Pixels. */
const width = 860;
const panel = { left: 60, width: 780, height: 170 };
const tops = [56, 296];
const height = 500;

/** The SVG's text; `samples` has at least one. */
export function drawSoak(samples: readonly Sample[], title: string): string {
  const [top = 0, second = 0] = tops;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#808080" role="img" aria-label="Memory and delay of the event loop over time">
<text x="${panel.left}" y="20" font-size="15">Soak: ${title}</text>
${drawPanel(samples, memory, 'Memory, MB', top)}
${drawPanel(samples, delay, 'Delay of the event loop, ms', second)}
</svg>
`;
}

function drawPanel(samples: readonly Sample[], curves: readonly Curve[], title: string, top: number): string {
  const minutes = Math.max(...samples.map(({ minute }) => minute));
  const highest = roundUp(Math.max(...samples.flatMap((sample) => curves.map(({ value }) => value(sample)))));
  const x = (minute: number) => round(panel.left + (minute / minutes) * panel.width);
  const y = (value: number) => round(top + panel.height - (value / highest) * panel.height);
  const lines = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = y(highest * part);
    return `<path d="M${panel.left} ${at}H${panel.left + panel.width}" stroke="#808080" stroke-opacity="0.25"/><text x="${panel.left - 6}" y="${at + 4}" text-anchor="end">${Number((highest * part).toPrecision(3))}</text>`;
  });
  const ends = [0, 0.5, 1].map(
    (part) =>
      `<text x="${x(minutes * part)}" y="${top + panel.height + 16}" text-anchor="middle">${(minutes * part).toFixed(1)} min</text>`,
  );
  const drawn = curves.map(({ colour, value }) => {
    const points = samples.map((sample) => `${x(sample.minute)},${y(value(sample))}`);
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>`;
  });
  const legend = curves.map(
    ({ name, colour }, i) => `<text x="${panel.left + 220 + i * 160}" y="${top - 10}" fill="${colour}">■ ${name}</text>`,
  );
  return [`<text x="${panel.left}" y="${top - 10}">${title}</text>`, ...lines, ...ends, ...drawn, ...legend].join('\n');
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** To the next 1, 2, 4 or 5 with zeros behind it, or 1 when there is nothing. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = [1, 2, 4, 5, 10].find((step) => step * power >= value) ?? 10;
  return digit * power;
}
