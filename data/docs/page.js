// The reference at /docs: finding something in it, and making requests from it. Whatever an answer says becomes text, never markup.

document.documentElement.classList.add('js');

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

/** An element with members of its own and what is in it. */
function element(name, members = {}, ...children) {
  const made = Object.assign(document.createElement(name), members);
  made.append(...children);
  return made;
}

// ---- where the API is: beside this page, whatever a proxy or a host put before it

const root = new URL('.', location.href).href.replace(/\/$/, '');
const baseOf = (of) => (of.hasAttribute('data-outside') ? root : `${root}/api/v1`);
for (const shown of $$('.base')) shown.textContent = baseOf(shown);

// ---- the key: of this tab, until it is closed

const keyName = 'mapwright-key';
const keyInput = $('#key');
keyInput.form.addEventListener('submit', (event) => event.preventDefault());
try {
  keyInput.value = sessionStorage.getItem(keyName) ?? '';
  keyInput.addEventListener('input', () => sessionStorage.setItem(keyName, keyInput.value.trim()));
} catch {
  // A browser that keeps nothing: the key lasts as long as the page.
}

// ---- the menu

const aside = $('aside');
const menuButton = $('.menu');
const openMenu = (open) => {
  aside.classList.toggle('open', open);
  menuButton.setAttribute('aria-expanded', String(open));
};
menuButton.addEventListener('click', () => openMenu(!aside.classList.contains('open')));
$('nav').addEventListener('click', ({ target }) => {
  if (target.closest('a') !== null) openMenu(false);
});

const filter = $('#filter');
const nothing = element('p', { className: 'nothing', hidden: true }, 'Nothing here has that.');
$('nav').append(nothing);
/** All that is said of what an item of the menu leads to, for the filter. */
const said = new Map();
function wordsOf(item) {
  if (!said.has(item)) said.set(item, document.getElementById($('a', item).hash.slice(1))?.textContent.toLowerCase() ?? '');
  return `${item.dataset.words} ${said.get(item)}`;
}
function filterMenu() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const section of $$('nav section')) {
    const items = $$('li', section);
    for (const item of items) item.hidden = !words.every((word) => wordsOf(item).includes(word));
    section.hidden = words.length > 0 && items.every((item) => item.hidden);
  }
  nothing.hidden = $('nav section:not([hidden])') !== null;
}
filter.addEventListener('input', filterMenu);
filter.addEventListener('keydown', ({ key }) => {
  const first = $('nav li:not([hidden]) a');
  if (key === 'Enter' && first !== null) first.click();
  if (key === 'Escape') {
    filter.value = '';
    filterMenu();
    filter.blur();
  }
});
document.addEventListener('keydown', (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
  if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  openMenu(true);
  filter.focus();
});

const links = new Map($$('nav li a').map((link) => [link.hash.slice(1), link]));
const inView = new Set();
const watcher = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) inView[isIntersecting ? 'add' : 'delete'](target);
    const [first] = [...inView].sort((a, b) => a.offsetTop - b.offsetTop);
    for (const [id, link] of links) {
      const here = id === first?.id;
      if (here && !link.classList.contains('here')) link.scrollIntoView({ block: 'nearest' });
      link.classList.toggle('here', here);
    }
  },
  { rootMargin: '-10% 0px -60% 0px' },
);
for (const id of links.keys()) watcher.observe(document.getElementById(id));

// ---- copying

document.addEventListener('click', async ({ target }) => {
  if (!target.matches('.copy')) return;
  try {
    await navigator.clipboard.writeText($('pre', target.closest('figure')).textContent);
    target.textContent = 'Copied';
  } catch {
    // Without TLS a browser may refuse: then it is marked, to be copied by hand.
    getSelection().selectAllChildren($('pre', target.closest('figure')));
    target.textContent = 'Marked';
  }
  setTimeout(() => (target.textContent = 'Copy'), 1500);
});

// ---- requests

/** How much of an answer is shown. */
const shownMax = 200_000;

const singleQuote = `'\\''`;

/** The form of an operation, made when it is opened first. */
function fillForm(form, article) {
  const inputs = [];
  for (const row of $$('.member[data-name]', article)) {
    const { name, in: place } = row.dataset;
    const about = $('dd', row).textContent;
    const input = element('input', { name, title: about, autocomplete: 'off', spellcheck: false });
    input.required = place === 'path';
    inputs.push({ name, place, input });
  }
  const needed = inputs.filter(({ place }) => place === 'path');
  const others = inputs.filter(({ place }) => place !== 'path');
  const labelled = ({ name, input }) => element('label', {}, name, input);
  form.append(...needed.map(labelled));
  const sent = $('.sent', article);
  const body = sent && element('textarea', { value: sent.textContent.replaceAll(singleQuote, "'"), spellcheck: false });
  if (body) form.append(element('label', {}, 'Body', body));
  if (others.length > 0)
    form.append(element('details', {}, element('summary', {}, 'Query and headers'), ...others.map(labelled)));
  const send = element('button', { type: 'submit', className: 'send' }, `Send ${article.dataset.method}`);
  const stop = element('button', { type: 'button', hidden: true }, 'Stop');
  const output = element('output');
  form.append(element('div', { className: 'actions' }, send, stop), output);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const ended = new AbortController();
    stop.onclick = () => ended.abort();
    stop.hidden = false;
    send.disabled = true;
    const request = requestOf(article, inputs, body?.value);
    void perform(request, output, ended.signal).finally(() => {
      stop.hidden = true;
      send.disabled = false;
    });
  });
}

function requestOf(article, inputs, body) {
  const headers = {};
  const query = new URLSearchParams();
  let { path } = article.dataset;
  for (const { name, place, input } of inputs) {
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(input.value));
    else if (input.value === '') continue;
    else if (place === 'query') query.append(name, input.value);
    else headers[name] = input.value;
  }
  const key = keyInput.value.trim();
  if (key !== '' && !article.hasAttribute('data-outside')) headers.Authorization = `Bearer ${key}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const search = query.size === 0 ? '' : `?${query}`;
  return [baseOf(article) + path + search, { method: article.dataset.method, headers, body, cache: 'no-store' }];
}

/** Makes a request, and shows the answer as it comes: a stream of events has no end. */
async function perform([url, options], output, signal) {
  const began = performance.now();
  output.replaceChildren('...');
  const text = element('pre');
  try {
    const answer = await fetch(url, { ...options, signal });
    const status = `${answer.status} ${answer.statusText}`;
    const took = `${Math.round(performance.now() - began)} ms`;
    const etag = answer.headers.get('ETag');
    output.replaceChildren(
      element('strong', { className: answer.ok ? 'good' : 'bad' }, status),
      ` in ${took}${etag === null ? '' : `, ETag ${etag}`}`,
      text,
    );
    output.scrollIntoView({ block: 'nearest' });
    let shown = '';
    const decoder = new TextDecoder();
    for (const reader = answer.body?.getReader(); reader !== undefined; ) {
      const { value, done } = await reader.read();
      if (done) break;
      shown += decoder.decode(value, { stream: true });
      text.textContent = shown;
      if (shown.length > shownMax) {
        text.textContent = `${shown.slice(0, shownMax)}\n... and more, which is not shown here`;
        await reader.cancel();
        return;
      }
    }
    text.textContent = pretty(shown, answer.headers.get('Content-Type') ?? '');
    output.scrollIntoView({ block: 'nearest' });
  } catch (error) {
    if (signal.aborted) return;
    output.replaceChildren(element('strong', { className: 'bad' }, `There is no answer: ${error.message}`));
  }
}

function pretty(text, type) {
  if (!/\bjson\b/.test(type)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

for (const details of $$('.try')) {
  const form = $('form', details);
  details.addEventListener('toggle', () => {
    if (form.children.length === 0) fillForm(form, details.closest('article'));
  });
}
