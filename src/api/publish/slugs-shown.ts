/** Collects the slugs of the files that a view shows. */
import { filesNamedIn } from '../../model/references/file-references.ts';
import type { Body } from '../../model/value.ts';
import type { View } from '../../store/list/views.ts';

/** Members between two turns of the event loop. */
const sliceMembers = 256;

/** @param publicUrl of the server: addresses below it count, too */
export function* slugsShown(project: View, publicUrl: string): Generator<void, ReadonlySet<string>> {
  const slugs = new Set<string>();
  let count = 0;
  for (const { resource, value } of viewsIn(project)) {
    for (const { slug } of filesNamedIn(resource, value as Body, publicUrl)) slugs.add(slug);
    if (++count % sliceMembers === 0) yield;
  }
  return slugs;
}

/** A project, and everything in it. */
function* viewsIn(view: View): Generator<View, void> {
  yield view;
  for (const views of view.held.values()) for (const each of views) yield* viewsIn(each);
}
