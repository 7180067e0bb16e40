/**
 * Makes the public form of an evaluation: without values, problems and identifiers of actions, and with identifiers of created objects that
 * do not show those of items, since these may be personal.
 */
import { createHash, createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { isIconName } from '../../lib/draw/public-map.ts';
import { iconsNamed } from '../../lib/pictures/icon-set.ts';
import { objectDefaults, popupDefaults } from '../evaluate/actions/resource-defaults.ts';
import type { CreatedObject, Evaluation, Members } from '../evaluate/evaluation.ts';
import type { SourcesState } from '../sources/source-freshness.ts';
import type { PublicationTask, PublicEvaluation } from './evaluation-task.ts';
import { membersOf } from './restated-evaluation.ts';

/** Beyond this size created objects and popups are left out, and if that is not enough the texts in place of names. */
export const publicBytesMax = 4 * 1024 * 1024;

/** Characters of the HMAC in an identifier. */
const hiddenLength = 32;

export function publicEvaluation(
  { objects, popups, created, created_popups }: Evaluation,
  task: Pick<PublicationTask, 'secret' | 'version' | 'now' | 'state'>,
  iconsOfMap: ReadonlySet<string> = new Set(),
  isUnusable = false,
): PublicEvaluation {
  const { secret, version, now } = task;
  const state: SourcesState = isUnusable ? { sources: 'failed' } : task.state;
  const shown = created.map((each) => withoutItem(each, secret));
  const popupsShown = created_popups.map(({ object_id, popup }) => ({ object_id, popup: withoutDefaults(popup, popupDefaults) }));
  const more = popupsShown.length === 0 ? {} : { created_popups: popupsShown };
  const icons = iconsNamed(iconsIn(objects, created, iconsOfMap));
  // Everything but `at`, which differs in each evaluation. Texts leave out members that are `undefined`.
  let rest = JSON.stringify({ objects, popups, created: shown, ...more, icons });
  if (Buffer.byteLength(rest) > publicBytesMax) rest = JSON.stringify({ objects, popups, created: [], icons });
  if (Buffer.byteLength(rest) > publicBytesMax)
    rest = JSON.stringify({ objects: withoutTexts(objects), popups, created: [], icons });
  const head = `{"version":${JSON.stringify(version)}`;
  rest = `${membersOf(state)},${rest.slice(1)}`;
  const json = Buffer.from(`${head},"at":${JSON.stringify(now)},${rest}`);
  const digest = createHash('sha256').update(`${head},${rest}`).digest('hex');
  return { gzip: gzipSync(json), jsonBytes: json.length, digest, state, isUnusable };
}

function withoutTexts(objects: Evaluation['objects']): Evaluation['objects'] {
  return Object.fromEntries(Object.entries(objects).map(([id, { label_text: _, ...members }]) => [id, members]));
}

/** The icons that only the result names. */
function iconsIn(objects: Evaluation['objects'], created: Evaluation['created'], iconsOfMap: ReadonlySet<string>): Set<string> {
  const names = new Set<string>();
  for (const { icon } of [...Object.values(objects), ...created.map(({ object }) => object)])
    if (typeof icon === 'string' && isIconName(icon) && !iconsOfMap.has(icon)) names.add(icon);
  return names;
}

function withoutItem({ action_id, artboard_id, object, popup }: CreatedObject, secret: string): unknown {
  const key = String(object['id']).slice(`live-${action_id}-`.length);
  const hidden = createHmac('sha256', secret).update(`${action_id}\n${key}`).digest('hex').slice(0, hiddenLength);
  const id = `live-${hidden}`;
  return {
    artboard_id,
    object: { ...withoutDefaults(object, objectDefaults), id },
    popup: popup && { ...withoutDefaults(popup, popupDefaults), id: `${id}-popup`, attachedTo: id },
  };
}

/** A map fills in the defaults itself. Without them, thousands of objects fit. */
function withoutDefaults(members: Members, defaults: Members): Members {
  const differing: Record<string, unknown> = { id: '' };
  for (const [name, value] of Object.entries(members)) if (value !== defaults[name] && name !== 'coords') differing[name] = value;
  if (Array.isArray(members['coords']) && members['coords'].length > 0) differing['coords'] = members['coords'];
  return differing;
}
