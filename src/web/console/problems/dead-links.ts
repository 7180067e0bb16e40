/** Links that lead to no place of the map, although they are no other addresses: of clicks, of buttons, and in HTML. */
import { addressesIn } from '../../../lib/html/html-addresses.ts';
import { texts } from '../console-texts.ts';
import type { ProjectStore } from '../document/project-store.ts';
import { addressDoubt } from '../forms/controls/doubts.ts';
import { isAddress } from '../forms/controls/targets/link-target.ts';
import { placeNames } from '../forms/controls/targets/places.ts';
import { isShown } from '../forms/form-sections.tsx';
import { fieldsOf, type Members } from '../kinds/resource-kinds.ts';
import { mayHaveLinks } from '../kinds/text-links.ts';
import type { ShapeProblem } from './shape-problems.ts';

/** The links in HTML; most texts have none, and need no scanner. */
const linksIn = (html: string): readonly string[] =>
  /href/i.test(html) ? addressesIn(html).flatMap(({ attribute, value }) => (attribute === 'href' ? [value] : [])) : [];

/**
 * Only of members that matter: a link that a click does not follow is no problem.
 *
 * @param known the links in texts that were scanned before
 */
export function deadLinks(store: ProjectStore, known: Map<string, readonly string[]>): readonly ShapeProblem[] {
  const places = placeNames(store);
  const inHtml = (text: string): readonly string[] => {
    const links = known.get(text) ?? linksIn(text);
    known.set(text, links);
    return links;
  };
  return [...store.all()].flatMap(({ ref: { kind, id } }) => {
    const value: Members = store.shown(id) ?? {};
    return fieldsOf(kind).flatMap((field): ShapeProblem[] => {
      const { name: member } = field;
      const isHtml = field.kind === 'long-text';
      const text = value[member];
      if (typeof text !== 'string' || !mayHaveLinks(field) || !isShown(field, value)) return [];
      return (isHtml ? inHtml(text) : [text.trim()]).flatMap((link) => {
        if (link === '' || (isAddress(link) && !link.startsWith('#'))) return [];
        const doubt = addressDoubt(kind, isHtml ? { name: member, kind: 'link' } : field, link, (place) => places.has(place));
        return doubt === '' ? [] : [{ id, member, text: texts.live.problem(kind, field.label, `${link}: ${doubt}`) }];
      });
    });
  });
}
