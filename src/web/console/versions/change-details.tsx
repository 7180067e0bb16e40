/** The chosen difference: each member before and now, or what was created or deleted. */
import { sameJson } from '../../../lib/change/same-json.ts';
import { texts } from '../console-texts.ts';
import { choiceOf, labelOf } from '../forms/controls/field-texts.ts';
import type { FormField } from '../kinds/form-field.ts';
import { fieldOf, type Kind } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { MemberList, rowsOf, Swatch } from '../live/panels/live-inspector.tsx';
import { ChangeSign, kindName } from './change-list.tsx';
import type { Difference, VersionView } from './version-view.ts';

/** Characters of a value that are shown at most. */
const shownMax = 3000;

export function ChangeDetails({ view, difference }: { readonly view: VersionView; readonly difference: Difference }) {
  const { kind, id, name, change, members } = difference;
  const value = view.valueAt(id);
  const isKnown = Object.hasOwn(texts.kinds, kind);
  const t = lateTexts.versions;
  return (
    <div class="inspector">
      <p class="kind">
        {kindName(kind)} <span class={`badge change ${change}`}>{t.change[change]}</span>
      </p>
      <h2>
        <ChangeSign change={change} /> {name || texts.unnamed}
      </h2>
      {change === 'created' && <p class="hint">{t.createdText}</p>}
      {change === 'deleted' && <p class="hint">{t.deletedText}</p>}
      {members !== undefined && <Members view={view} kind={kind} members={members} />}
      {members === undefined && isKnown && value !== undefined && <MemberList rows={rowsOf(kind as Kind, value)} />}
    </div>
  );
}

function Members(props: {
  readonly view: VersionView;
  readonly kind: string;
  readonly members: NonNullable<Difference['members']>;
}) {
  const { view, kind, members } = props;
  const t = lateTexts.versions;
  return (
    <dl class="changed-members">
      {Object.entries(members).map(([name, { before, after }]) => {
        const field = fieldOf(kind, name);
        return (
          <div key={name}>
            <dt>{labelOf(kind, name)}</dt>
            <dd class="before">
              <span class="side">{t.before}</span>
              <Value text={textOf(view, kind, field, before)} />
            </dd>
            <dd class="after">
              <span class="side">{t.now}</span>
              <Value text={field?.kind === 'corners' ? movedCorners(before, after) : textOf(view, kind, field, after)} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Value({ text }: { readonly text: string }) {
  return (
    <span class="value">
      <Swatch value={text} />
      {text}
    </span>
  );
}

/** A value of a member as its form calls it. */
function textOf(view: VersionView, kind: string, field: FormField | undefined, value: unknown): string {
  const t = lateTexts.versions;
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return t.empty;
  if (typeof value === 'boolean') return value ? texts.liveMap.yes : texts.liveMap.no;
  if (field?.kind === 'corners' && Array.isArray(value)) return texts.liveMap.corners(value.length);
  if (typeof value === 'string')
    return cut(field?.kind === 'choice' ? choiceOf(kind, field.name, value) : (view.nameAt(value) ?? value));
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return cut(value.map((each) => view.nameAt(each) ?? each).join(', '));
  return cut(JSON.stringify(value, null, 1));
}

const cut = (text: string): string => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text);

/** Corners that have the same number, and are others. */
function movedCorners(before: unknown, after: unknown): string {
  const corners = Array.isArray(after) ? after.length : 0;
  const isMove = Array.isArray(before) && before.length === corners && !sameJson(before, after);
  return isMove ? lateTexts.versions.moved(corners) : texts.liveMap.corners(corners);
}
