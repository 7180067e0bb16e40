// tier: normal
/**
 * Values in HTML, in a real browser without a sanitizer and without a policy: a value stays in the text or the attribute that it was put in, and
 * no script of it runs.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { evaluate } from '../../src/live/evaluate/evaluate.ts';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { sized } from '../support/tier.ts';
import { payloads, picturesFailed } from '../viewer/payloads.ts';

t.setTimeout(300_000);

/** Every place that a value may be written to, and those where it must not be. */
const templates = [
  '<p>{v}</p>',
  '{v}<b>{v}</b>{v}',
  '<img alt={v} title="{v}" src="/no.png">',
  "<p title='{v}' {v}>{v}</p>",
  '<a href="{v}">{v}</a>',
  '<a href={v}>x</a>',
  '<a href="/rooms/{v}?a={v}">x</a>',
  '<a href="{v}:{v}">x</a>',
  '<img src="{v}">',
  '<img src={v} alt=x>',
  '<p onclick="{v}" style="{v}" {v}="{v}" id={v}>x</p>',
  '<{v}>x</{v}><p{v}>x</p>',
  '<script>var a = "{v}";</script><style>{v}</style><textarea>{v}</textarea><title>{v}</title>',
  '<!-- {v} --><p>{v}</p><!--{v}-->',
  '<p title = "{v}"/ title>{v}</p>',
  '<p title="{v}>{v}</p>"{v}',
  '<p a"b={v} title=x{v}y>{v}</p>',
  '<svg><text>{v}</text><a href="{v}"><text>x</text></a></svg>',
  '<math><mi title="{v}">{v}</mi></math>',
  '< {v}>{v} </ {v}>',
];

const values = [
  'x onmouseover=top.pwned=1 autofocus onfocus=top.pwned=1 tabindex=0',
  '" onfocus="top.pwned=1" autofocus tabindex=0 x="',
  "' onerror='top.pwned=1' x='",
  '--><img src=x onerror=top.pwned=1>',
  '</script></style></textarea></title><img src=x onerror=top.pwned=1>',
  'javascript',
  'top.pwned=1',
  '`top.pwned=1`',
  ...payloads.filter((text) => text.length < 2000),
];

function filled(template: string, value: string): string {
  const project = {
    artboards: [{ id: 'a', objects: [] }],
    variables: [{ id: 'v', name: 'v', type: 'primitive', data_source_id: 's' }],
    data_sources: [{ id: 's' }],
    actions: [
      {
        id: 't',
        type: 'create-spot',
        create_object_target_artboard_id: 'a',
        create_spot_x_custom_value: '1',
        create_spot_y_custom_value: '1',
        create_popup: true,
        popup_content: template,
      },
    ],
  };
  const { created } = evaluate(project, { s: value }, { seed: 1, now: '2026-11-24T12:00:00Z' });
  return String(created[0]?.popup?.['content']);
}

t.test('a value in HTML changes no element and runs no script, without a sanitizer and without a policy', { skip }, async (t) => {
  const server = http.createServer((_, res) =>
    res.setHeader('Content-Type', 'text/html').end('<!doctype html><body><div id=r></div>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const page = await Page.open(t, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const step = sized({ sample: 9, all: 1 });
  const chosen = values.filter((_, i) => i < 8 || i % step === 0);
  const texts = templates.map((template) => ({
    template,
    harmless: filled(template, 'plain'),
    hostile: chosen.map((value) => filled(template, value)),
  }));
  const changed = await page.value(`(async () => {
    const shape = (html) => {
      const { body } = new DOMParser().parseFromString(html, 'text/html');
      return [...body.querySelectorAll('*')].map(({ localName, attributes }) => [localName, ...[...attributes].map(({ name }) => name)].join(' ')).join();
    };
    const changed = [];
    const r = document.getElementById('r');
    document.addEventListener('click', (event) => event.target.closest('a[href^=http]') && event.preventDefault());
    for (const { template, harmless, hostile } of ${JSON.stringify(texts)}) {
      const expected = shape(harmless);
      for (const html of hostile) {
        if (shape(html) !== expected) changed.push(template + ' became ' + html);
        r.innerHTML = html;
        for (const element of r.querySelectorAll('*')) {
          element.dispatchEvent(new Event('mouseover'));
          if (element.localName === 'a' && (element.protocol ?? '').startsWith('javascript')) element.click();
          element.focus?.();
        }
      }
    }
    await ${picturesFailed('r')};
    return { changed: changed.slice(0, 5), pwned: top.pwned };
  })()`);
  t.strictSame(changed, { changed: [], pwned: undefined }, `${templates.length} templates with ${chosen.length} values`);
});
