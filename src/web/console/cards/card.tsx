/** The cards: of a project, and of a folder. */
import { useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';
import { healthOf, worstOf } from '../live/health/worst-health.ts';
import { hashOf } from '../screen-route.ts';
import { Icon } from '../ui/icons.tsx';
import { Menu } from '../ui/menu.tsx';
import type { CardSelection } from './card-selection.ts';
import type { Folder } from './folders.ts';
import type { ListedProject } from './listed-project.ts';
import { Preview } from './preview.tsx';
import type { ProjectList } from './project-list.ts';

/** A finger that stays this long selects the card, in milliseconds. */
const longPressMs = 500;

export function FolderCard({ folder: { path, name, count } }: { readonly folder: Folder }) {
  return (
    <li class="card folder">
      <a href={hashOf({ screen: 'cards', folder: path })}>
        <Icon name="folder" />
        <span class="card-name">{name}</span>
        <span class="hint">{lateTexts.cards.count(count)}</span>
      </a>
    </li>
  );
}

interface CardProps {
  readonly list: ProjectList;
  readonly project: ListedProject;
  /** Its name here: without the folder that is shown. */
  readonly name: string;
  readonly selection: CardSelection;
  /** All cards in their order. */
  readonly shown: readonly string[];
  readonly onRemove: () => void;
}

export function Card({ list, project, name, selection, shown, onRemove }: CardProps) {
  const t = lateTexts.cards;
  const { id } = project;
  const title = name || texts.unnamed;
  const isSelected = selection.ids.value.has(id);
  const choose = (isRange: boolean) => (isRange ? selection.extend(shown, id) : selection.toggle(id));
  const touch = useTouch(selection, choose);
  return (
    <li class={`card ${isSelected ? 'selected' : ''}`} {...touch}>
      <a
        href={hashOf({ screen: 'editor', project: id })}
        onClick={(event) => {
          if (event.defaultPrevented || !(event.shiftKey || event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          choose(event.shiftKey);
        }}
      >
        <Preview list={list} id={id} />
        <span class="card-name">{title}</span>
        <span class="hint">
          {t.created} {texts.timeOf(project.created)}
        </span>
        <FailingLine list={list} id={id} />
      </a>
      <input
        type="checkbox"
        class="pick"
        aria-label={t.select(title)}
        title={t.select(title)}
        checked={isSelected}
        onClick={(event) => {
          choose(event.shiftKey);
          event.currentTarget.checked = selection.ids.value.has(id);
        }}
      />
      <Menu
        label={texts.moreFor(title)}
        items={[
          ...(list.controls.canCreate ? [{ label: texts.editor.duplicate, onChoose: () => void list.duplicate([project]) }] : []),
          { label: t.download, onChoose: () => void list.download([project]) },
          ...(list.controls.canWrite ? [{ label: texts.remove, isDanger: true, onChoose: onRemove }] : []),
        ]}
      />
    </li>
  );
}

/** A data source of the project that fails, with the reason and its last good time. */
function FailingLine({ list, id }: Pick<CardProps, 'list'> & { readonly id: string }) {
  const failing = list.failing.value.get(id) ?? [];
  const worst = worstOf(failing);
  if (worst === undefined) return null;
  return (
    <span class={`health ${healthOf(worst)}`}>
      <Icon name="warning" />
      <span>
        {lateTexts.health.sentence(worst)}
        {failing.length > 1 && ` ${lateTexts.health.more(failing.length - 1)}`}
      </span>
    </span>
  );
}

/** A finger that stays selects; while something is selected, each tap does. */
function useTouch(selection: CardSelection, choose: (isRange: boolean) => void) {
  const press = useRef({ timer: 0, isTouch: false, wasLong: false });
  const end = () => clearTimeout(press.current.timer);
  return {
    onPointerDown: (event: PointerEvent) => {
      end();
      const isTouch = event.pointerType === 'touch';
      press.current = { timer: 0, isTouch, wasLong: false };
      if (!isTouch || !(event.target as Element).closest('a')) return;
      press.current.timer = setTimeout(() => {
        press.current.wasLong = true;
        choose(false);
      }, longPressMs) as unknown as number;
    },
    onPointerUp: end,
    // The finger scrolls.
    onPointerCancel: end,
    onContextMenu: (event: Event) => press.current.isTouch && event.preventDefault(),
    onClickCapture: (event: Event) => {
      const { isTouch, wasLong } = press.current;
      if (!isTouch || !(event.target as Element).closest('a') || !(wasLong || selection.ids.value.size > 0)) return;
      event.preventDefault();
      if (!wasLong) choose(false);
    },
  };
}
