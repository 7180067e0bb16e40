/** The ways to show a published map to visitors: its link, on another page, as files, and as a QR code. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { framePowers } from '../../../lib/draw/frame-powers.ts';
import { escapeHtml } from '../../../lib/html/escape-html.ts';
import type { Publication } from '../../client/client.ts';
import { lateTexts } from '../late-texts.ts';
import { LocalAddress } from '../server/local-address.tsx';
import { serverRoot } from '../server/server-root.ts';
import { CopyText } from '../ui/copy-text.tsx';
import { Tabs, tabOf } from '../ui/tabs.tsx';

interface Props {
  readonly project: string;
  readonly publication: Publication;
  /** The address of the public page. */
  readonly address: string;
  /** The picture that chats show with the link. */
  readonly picture: ComponentChildren;
  readonly code: ComponentChildren;
  /** The title of the map. */
  readonly name: string;
  /** The text that names the pages which may show the map in a frame. */
  readonly typed: { readonly origins?: string | undefined };
  readonly onOrigins: (text: string) => void;
}

const uses = ['link', 'embed', 'files', 'qr'] as const;

export function Uses(props: Props) {
  const use = useSignal<(typeof uses)[number]>('link');
  const t = lateTexts.publish;
  return (
    <Tabs label={t.uses} tabs={uses.map((each) => [each, t.use[each]])} {...tabOf(use)}>
      {use.value === 'link' && <Link {...props} />}
      {use.value === 'embed' && <Embed {...props} />}
      {use.value === 'files' && <Files {...props} />}
      {use.value === 'qr' && props.code}
    </Tabs>
  );
}

function Link({ address, picture }: Props) {
  const t = lateTexts.publish;
  return (
    <>
      <p>{t.linkAbout}</p>
      <CopyText text={address} title={t.use.link} />
      <LocalAddress address={address} />
      <p>
        <a href={address} target="_blank" rel="noopener">
          {t.open}
        </a>
      </p>
      {picture}
    </>
  );
}

/** The attributes for parts that the element shows besides the map. */
const extras = ['list', 'search', 'menu', 'permalink'] as const;

function Embed({ address, name, publication, typed, onOrigins }: Props) {
  const script = new URL('viewer.js', serverRoot()).href;
  const chosen = useSignal<readonly string[]>(['search']);
  const attributes = extras.filter((each) => chosen.value.includes(each)).map((each) => ` ${each}`);
  const t = lateTexts.publish;
  return (
    <>
      <h3>{t.snippet}</h3>
      <p>{t.snippetAbout}</p>
      <fieldset class="row wrap plain">
        <legend class="sr-only">{t.extras}</legend>
        {extras.map((each) => (
          <label key={each} class="check">
            <input
              type="checkbox"
              checked={chosen.value.includes(each)}
              onChange={({ currentTarget: { checked } }) => {
                chosen.value = checked ? [...chosen.value, each] : chosen.value.filter((other) => other !== each);
              }}
            />
            {t.extra[each]}
          </label>
        ))}
      </fieldset>
      <CopyText
        title={t.snippet}
        text={`<script type="module" src="${script}"></script>\n<mapwright-map src="${address}"${attributes.join('')}></mapwright-map>`}
      />
      <LocalAddress address={address} />
      <h3>{t.frame}</h3>
      <p>{t.frameAbout}</p>
      <CopyText
        title={t.frame}
        text={`<iframe src="${address}" title="${escapeHtml(name)}" style="width:100%;aspect-ratio:4/3;border:0" loading="lazy" allow="${framePowers}"></iframe>`}
      />
      <label for="origins">{t.origins}</label>
      <textarea
        id="origins"
        class="code"
        rows={3}
        spellcheck={false}
        aria-describedby="origins-hint"
        value={typed.origins ?? publication.origins.join('\n')}
        onInput={(event) => onOrigins(event.currentTarget.value)}
      />
      <p class="hint" id="origins-hint">
        {t.originsHint}
      </p>
    </>
  );
}

function Files({ project, publication }: Props) {
  const t = lateTexts.publish;
  return (
    <>
      <p>{t.filesAbout}</p>
      <CopyText title={t.command} text={`npx mapwright publish ${project} --out site`} />
      <p>{t.filesShow}</p>
      <CopyText
        title={t.snippet}
        text={'<script type="module" src="site/viewer.js"></script>\n<mapwright-map src="site"></mapwright-map>'}
      />
      {publication.refresh !== 0 && <p class="warning-text">{t.filesStill}</p>}
    </>
  );
}
