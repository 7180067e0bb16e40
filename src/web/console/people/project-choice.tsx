/** The projects that a person reaches: all, or some. */
import { useId } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';

export function ProjectChoice(props: {
  /** Names by identifier. */
  readonly projects: ReadonlyMap<string, string>;
  /** `null` for all. */
  readonly chosen: readonly string[] | null;
  readonly onChoose: (ids: readonly string[] | null) => void;
}) {
  const { projects, chosen, onChoose } = props;
  const group = useId();
  const t = lateTexts.people;
  return (
    <fieldset>
      <legend>{t.projects}</legend>
      {[false, true].map((isSome) => (
        <label key={String(isSome)}>
          <input type="radio" name={group} checked={(chosen !== null) === isSome} onChange={() => onChoose(isSome ? [] : null)} />{' '}
          {isSome ? t.someProjects : t.allProjects}
        </label>
      ))}
      {chosen !== null && (
        <fieldset class="project-choice" aria-label={t.someProjects}>
          {[...projects].map(([id, name]) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={(event) =>
                  onChoose(event.currentTarget.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
                }
              />{' '}
              {name || texts.unnamed}
            </label>
          ))}
        </fieldset>
      )}
    </fieldset>
  );
}
