/** What the viewer's sanitizer removes from the content of a popup, and why. */
import DOMPurify from 'dompurify';
import { contentAddress } from '../../viewer/element/content-address.ts';
import { sanitized } from '../../viewer/element/safe-content.ts';
import { frameTexts as texts } from './frame-texts.ts';

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(?:<(?:script|noscript|template|svg|math|animate|set)>|on\w+)$/, texts.reasonCode],
  [/^(?:<(?:iframe|frame|frameset|object|embed|link|meta|base|video|audio|source|picture)>|srcset|srcdoc)$/, texts.reasonLoads],
  [/^(?:<style>|style|class|id)$/, texts.reasonStyle],
  [/^<(?:form|input|button|select|option|textarea|label|fieldset)>$/, texts.reasonForm],
  [/^(?:href|src)$/, texts.reasonAddress],
];

const reasonOf = (what: string): string => reasons.find(([pattern]) => pattern.test(what))?.[1] ?? texts.reasonOther;

/** The own `nodeName` of an element: a field of a form with that name would hide it. */
const nodeName = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeName')?.get as (this: Node) => string;

/** `<script>`, `onclick`. */
function nameOf(part: (typeof DOMPurify.removed)[number]): string {
  if ('attribute' in part) return (part.attribute?.name ?? '').replace(/^data-style$/, 'style');
  const name = nodeName.call(part.element);
  return name.startsWith('#') ? name : `<${name.toLowerCase()}>`;
}

/** Parts that the sanitizer removes, such as `<script>: could run code`, each once with its count. */
export function removedParts(html: string): readonly string[] {
  const fragment = sanitized(html);
  // The body is that of the parser.
  const parts = DOMPurify.removed.map(nameOf).filter((name) => name !== '<body>');
  for (const link of fragment.querySelectorAll('a[href]'))
    if (contentAddress('link', link.getAttribute('href') ?? '') === undefined) parts.push('href');
  for (const picture of fragment.querySelectorAll('img'))
    if (contentAddress('web picture', picture.getAttribute('src') ?? '') === undefined) parts.push('src');
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  return [...counts].map(([part, count]) => `${texts.times(part, count)}: ${reasonOf(part)}`);
}
