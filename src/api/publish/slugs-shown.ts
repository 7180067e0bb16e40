/** Collects the slugs of the files that a view shows. */
import { filesNamedIn } from '../../model/references/file-references.ts';
import type { Body } from '../../model/value.ts';
import type { View } from '../../store/list/views.ts';

/** Members between two turns of the event loop. */
const sliceMembers = 256;

/** @param publicUrl of the server: addresses below it count, too */
export function* slugsShown({ held }: View, publicUrl: string): Generator<void, ReadonlySet<string>> {
  const slugs = new Set<string>();
  let count = 0;
  for (const { resource, value } of membersIn(held)) {
    for (const { slug } of filesNamedIn(resource, value as Body, publicUrl)) slugs.add(slug);
    if (++count % sliceMembers === 0) yield;
  }
  return slugs;
}

function* membersIn(held: View['held']): Generator<View, void> {
  for (const views of held.values()) {
    for (const view of views) {
      yield view;
      yield* membersIn(view.held);
    }
  }
}
