/** Addresses that a map may link to or load. */
import t from 'tap';
import { addressOf } from '../../src/lib/draw/link-rules.ts';

const base = 'https://maps.example/p/office';

t.test('links and pictures have the schemes of the list', async (t) => {
  const cases: readonly (readonly [string, string | undefined, string | undefined, string | undefined])[] = [
    ['https://a.example/x', 'https://a.example/x', 'https://a.example/x', 'https://a.example/x'],
    [' HTTP://a.example ', 'http://a.example/', 'http://a.example/', 'http://a.example/'],
    ['/plan', 'https://maps.example/plan', 'https://maps.example/plan', 'https://maps.example/plan'],
    ['#x', 'https://maps.example/p/office#x', 'https://maps.example/p/office#x', 'https://maps.example/p/office#x'],
    ['mailto:a@b.example', 'mailto:a@b.example', undefined, undefined],
    ['tel:+49301234', 'tel:+49301234', undefined, undefined],
    ['data:image/png;base64,AA==', undefined, 'data:image/png;base64,AA==', undefined],
    ['data:text/html,x', undefined, undefined, undefined],
    ['javascript:alert(1)', undefined, undefined, undefined],
    [' java\nscript:alert(1)', undefined, undefined, undefined],
    ['vbscript:x', undefined, undefined, undefined],
    ['file:///etc/passwd', undefined, undefined, undefined],
    ['blob:https://a.example/1', undefined, undefined, undefined],
    ['http://[', undefined, undefined, undefined],
    ['', undefined, undefined, undefined],
    [' ', undefined, undefined, undefined],
  ];
  for (const [text, link, picture, webPicture] of cases) {
    t.equal(addressOf(text, 'link', base), link, `link ${text}`);
    t.equal(addressOf(text, 'picture', base), picture, `picture ${text}`);
    t.equal(addressOf(text, 'web picture', base), webPicture, `picture of the web ${text}`);
  }
});
