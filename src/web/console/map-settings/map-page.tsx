/** The page of the map: its language, whether search engines may list it, and its header. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import { headerBounds, languageForm } from '../../../lib/draw/public-map.ts';
import { ColourInput } from '../forms/controls/colour-field.tsx';
import { Cell, RemoveButton, replaced, without } from '../forms/list-fields.tsx';
import type { Members } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { useDraft, useTextDraft } from '../ui/use-draft.ts';
import type { PublicMapProps } from './public-map-props.ts';

interface Link {
  readonly label: string;
  readonly url: string;
}

const isLanguage = new RegExp(languageForm);

export function MapPage(props: PublicMapProps) {
  const { model, map, onChange } = props;
  const isDisabled = !model.document.canWrite;
  const header = isPlain(map['header']) ? map['header'] : undefined;
  const t = lateTexts.mapSettings.page;
  return (
    <>
      <h3>{t.title}</h3>
      <Language {...props} />
      <label class="check">
        <input
          type="checkbox"
          checked={map['indexed'] === true}
          disabled={isDisabled}
          onChange={({ currentTarget: { checked } }) => onChange({ indexed: checked ? true : undefined })}
        />
        {t.indexed}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={header !== undefined}
          disabled={isDisabled}
          onChange={({ currentTarget: { checked } }) => onChange({ header: checked ? {} : undefined })}
        />
        {t.hasHeader}
      </label>
      {header !== undefined && (
        <Header
          header={header}
          isDisabled={isDisabled}
          onChange={(members) => onChange({ header: withMembers(header, members) })}
        />
      )}
    </>
  );
}

/** A header of which nothing is stored that is empty. */
function withMembers(header: Members, members: Members): Members {
  const all = Object.entries({ ...header, ...members });
  return Object.fromEntries(all.filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0)));
}

function Language({ model, map, onChange }: PublicMapProps) {
  const t = lateTexts.mapSettings.page;
  const { problem, input } = useDraft<unknown>({
    value: map['lang'],
    show: (value) => String(value ?? ''),
    parse: (given) => {
      const text = given.trim();
      return text === '' || isLanguage.test(text) ? { value: text === '' ? undefined : text } : { problem: t.langProblem };
    },
    commit: (lang) => onChange({ lang }),
  });
  return (
    <>
      <label for="map-lang">{t.lang}</label>
      <input
        id="map-lang"
        class="seconds"
        type="text"
        list="map-langs"
        placeholder="en"
        readOnly={!model.document.canWrite}
        aria-describedby="map-lang-hint"
        aria-invalid={problem !== ''}
        {...input}
      />
      <datalist id="map-langs">
        {['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt-BR'].map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <p class={problem === '' ? 'hint' : 'problem'} id="map-lang-hint">
        {problem || t.langHint}
      </p>
    </>
  );
}

interface HeaderProps {
  readonly header: Members;
  readonly isDisabled: boolean;
  readonly onChange: (members: Members) => void;
}

function Header(props: HeaderProps) {
  const { header, isDisabled, onChange } = props;
  const t = lateTexts.mapSettings.page;
  return (
    <>
      <HeaderText {...props} member="title" label={t.heading} hint={t.headingHint} />
      <HeaderText {...props} member="logo" label={t.logo} hint={t.logoHint} />
      <span class="label">{t.accent}</span>
      <ColourInput
        label={t.accent}
        value={String(header['accent'] ?? '')}
        isDisabled={isDisabled}
        onCommit={(accent) => onChange({ accent })}
      />
      <Links {...props} />
    </>
  );
}

function HeaderText(props: HeaderProps & { readonly member: 'title' | 'logo'; readonly label: string; readonly hint: string }) {
  const { header, isDisabled, onChange, member, label, hint } = props;
  const { text, input } = useTextDraft(header[member] ?? '', (value) => onChange({ [member]: value }), true);
  const id = `header-${member}`;
  const most = member === 'title' ? headerBounds.titleLengthMax : headerBounds.addressLengthMax;
  return (
    <>
      <label for={id}>{label}</label>
      <input id={id} type="text" maxLength={most} readOnly={isDisabled} aria-describedby={`${id}-hint`} {...input} value={text} />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </>
  );
}

function Links({ header, isDisabled, onChange }: HeaderProps) {
  const links = (Array.isArray(header['links']) ? header['links'] : []) as readonly Link[];
  const t = lateTexts.mapSettings.page;
  const change = (at: number, members: Partial<Link>) =>
    onChange({ links: replaced(links, at, { ...(links[at] as Link), ...members }) });
  return (
    <>
      <h4 id="links-title">{t.links}</h4>
      <ul class="legend-rows" aria-labelledby="links-title">
        {links.map((link, at) => (
          <li key={at}>
            <Cell
              label={t.linkLabel(at + 1)}
              list={link}
              textOf={({ label }) => label}
              isDisabled={isDisabled}
              onCommit={(label) => change(at, { label: label.trim() || link.label })}
            />
            <Cell
              label={t.linkAddress(at + 1)}
              list={link}
              textOf={({ url }) => url}
              isDisabled={isDisabled}
              onCommit={(url) => change(at, { url: url.trim() || link.url })}
            />
            {!isDisabled && <RemoveButton n={at + 1} onClick={() => onChange({ links: without(links, at) })} />}
          </li>
        ))}
      </ul>
      {!isDisabled && links.length < headerBounds.links && (
        <p>
          <Button label={t.addLink} onClick={() => onChange({ links: [...links, { label: t.newLink, url: 'https://' }] })} />
        </p>
      )}
    </>
  );
}
