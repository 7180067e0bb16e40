/** The page of the map: its language, whether search engines may list it, and its header. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import { headerBounds, languageForm } from '../../../lib/draw/public-map.ts';
import { ColourInput } from '../forms/controls/colour-field.tsx';
import { Cell, RemoveButton, replaced, without } from '../forms/list-fields.tsx';
import { withoutEmpty } from '../kinds/public-map-settings.ts';
import type { Members } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { HintedField } from '../ui/hinted-field.tsx';
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
          onChange={(members) => onChange({ header: withoutEmpty({ ...header, ...members }) })}
        />
      )}
    </>
  );
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
    <HintedField id="map-lang" label={t.lang} hint={t.langHint} problem={problem}>
      {(described) => (
        <>
          <input
            {...described}
            class="seconds"
            type="text"
            list="map-langs"
            placeholder="en"
            readOnly={!model.document.canWrite}
            {...input}
          />
          <datalist id="map-langs">
            {['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt-BR'].map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </>
      )}
    </HintedField>
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
  const most = member === 'title' ? headerBounds.titleLengthMax : headerBounds.addressLengthMax;
  return (
    <HintedField id={`header-${member}`} label={label} hint={hint}>
      {(described) => <input {...described} type="text" maxLength={most} readOnly={isDisabled} {...input} value={text} />}
    </HintedField>
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
