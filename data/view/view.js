/**
 * Draws a project as it is stored, and again whenever the server tells of a change. It shows what is kept: actions are not carried out.
 * Addresses are relative: behind `v1/` is the API, read-only, with the key that `mapwright view` was given.
 */
const svgNames = 'http://www.w3.org/2000/svg';
/** Pixels of a tile of OpenStreetMap. */
const tileSize = 256;
/** Said where tiles could not be loaded. */
const noTiles = ', which cannot be reached from here';
/** An artboard that would take more of them is shown without. */
const tilesMax = 400;
/** Wait before a feed that ended is opened again, in milliseconds. */
const retryMs = 2000;
/** Changes that come within so many milliseconds are drawn together. */
const gatherMs = 100;
/** Blend modes that browsers know by the same name. */
const blendModes = new Set(
  'multiply screen darken lighten overlay color-dodge color-burn hard-light soft-light difference exclusion saturation color luminosity'.split(
    ' ',
  ),
);
/** What may stand in the text of a popup; everything else is shown as its text. */
const allowedTags = new Set(
  'P B I EM STRONG U BR UL OL LI H1 H2 H3 H4 H5 H6 SPAN DIV CODE PRE BLOCKQUOTE TABLE TBODY THEAD TR TD TH'.split(' '),
);

const at = (id) => document.getElementById(id);
const [choice, tabs, stage, card, state, footer] = ['projects', 'artboards', 'stage', 'popup', 'state', 'footer'].map(at);

let project;
let artboardId;
/** Where the project is looked at: the part of each artboard that is shown, by the artboard's id. */
const viewBoxes = new Map();
/** Ends the feed of the project that was shown before. */
let following = new AbortController();

/** What the API answers; throws what its problem says. */
async function ask(path, options) {
  const answer = await fetch(`v1/${path}`, options);
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => ({}));
  throw Object.assign(new Error(problem.detail ?? `The server answered ${answer.status}.`), { status: answer.status });
}

async function listProjects() {
  const projects = [];
  for (let path = 'projects?fields=name&limit=1000'; path !== undefined; ) {
    const answer = await ask(path);
    projects.push(...(await answer.json()));
    path = /<[^>]*\/(projects\?[^>]*)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1];
  }
  return projects;
}

/** Reads the project and shows it; returns the id from which its feed goes on. */
async function read(id, signal) {
  const answer = await ask(`projects/${id}`, { signal });
  project = await answer.json();
  if (!project.artboards.some((artboard) => artboard.id === artboardId)) artboardId = project.artboards[0]?.id;
  show();
  // A compressed answer's tag says so behind the version.
  return answer.headers.get('ETag').replace(/^W\/|"|-(?:br|gzip)(?="$)/g, '');
}

/** Shows a project, and follows it until another one is shown. */
async function open(id) {
  following.abort();
  following = new AbortController();
  const { signal } = following;
  project = undefined;
  card.hidden = true;
  while (!signal.aborted) {
    try {
      await follow(id, await read(id, signal), signal);
    } catch (error) {
      if (signal.aborted) return;
      say(error.status === undefined ? 'The server is away: trying again' : error.message);
      if (error.status === 404) return listAgain();
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

async function follow(id, after, signal) {
  const answer = await ask(`projects/${id}/events?after=${encodeURIComponent(after)}`, { signal });
  say('live', true);
  let text = '';
  let timer;
  // What an event tells is not taken over: a project is read with one request.
  const again = () => {
    timer = undefined;
    read(id, signal).catch(() => undefined);
  };
  try {
    for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
      text += part;
      const whole = text.lastIndexOf('\n\n');
      if (whole === -1) continue;
      const changed = /^event: /m.test(text.slice(0, whole));
      text = text.slice(whole + 2);
      if (changed) timer ??= setTimeout(again, gatherMs);
    }
  } finally {
    clearTimeout(timer);
  }
}

function say(text, live = false) {
  state.textContent = text;
  state.className = live ? 'live' : '';
}

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  Object.assign(made, attributes);
  made.append(...children);
  return made;
};

const drawn = (name, attributes = {}) => {
  const made = document.createElementNS(svgNames, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
};

function show() {
  document.title = `${project.name} · mapwright`;
  tabs.replaceChildren(
    ...project.artboards.map(({ id, name }) => {
      const tab = element('button', { textContent: name, onclick: () => choose(id) });
      tab.setAttribute('aria-pressed', id === artboardId);
      return tab;
    }),
  );
  const artboard = project.artboards.find(({ id }) => id === artboardId);
  if (artboard === undefined) {
    stage.replaceChildren(element('p', { textContent: 'This project has no artboard yet. Make one, and it appears here.' }));
    footer.textContent = '';
    return;
  }
  stage.replaceChildren(draw(artboard));
  const { length } = artboard.objects;
  const credit = artboard.type === 'osm' ? ' · Map © OpenStreetMap contributors' : '';
  footer.textContent = `${artboard.name}: ${length} ${length === 1 ? 'object' : 'objects'}, ${artboard.width} × ${artboard.height} px${credit}`;
}

function choose(id) {
  artboardId = id;
  card.hidden = true;
  show();
}

function draw(artboard) {
  const { width, height } = artboard;
  const svg = drawn('svg', { role: 'img', 'aria-label': artboard.name });
  svg.append(...background(artboard));
  const popups = new Map(project.popups.map((popup) => [popup.attachedTo, popup]));
  for (const object of artboard.objects) svg.append(...drawObject(object, popups.get(object.id)));
  const whole = [0, 0, width, height];
  const look = (box) => {
    viewBoxes.set(artboard.id, box);
    svg.setAttribute('viewBox', box.join(' '));
  };
  look(viewBoxes.get(artboard.id) ?? whole);
  letMove(svg, () => viewBoxes.get(artboard.id), look, whole);
  return svg;
}

function background({ type, width, height, bg_color, image_url, osm_lat, osm_lng, osm_zoom }) {
  const behind = drawn('rect', { width, height, fill: type === 'color' ? bg_color : '#dce8f2' });
  if (type === 'image') return [behind, drawn('image', { width, height, href: image_url, preserveAspectRatio: 'none' })];
  return type === 'osm' ? [behind, tiles({ width, height, osm_lat, osm_lng, osm_zoom })] : [behind];
}

/** Tiles of the zoom level below, scaled to a level that may have a fraction (Web Mercator). */
function tiles({ width, height, osm_lat, osm_lng, osm_zoom }) {
  const zoom = Math.min(19, Math.floor(osm_zoom));
  const count = 2 ** zoom;
  const size = tileSize * 2 ** (osm_zoom - zoom);
  const sine = Math.sin((osm_lat * Math.PI) / 180);
  const left = ((osm_lng + 180) / 360) * count * size - width / 2;
  const top = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * count * size - height / 2;
  const clip = drawn('svg', { width, height, overflow: 'hidden' });
  if (!((width / size + 1) * (height / size + 1) <= tilesMax)) return clip;
  for (let y = Math.max(0, Math.floor(top / size)); y < Math.min(count, (top + height) / size); y++) {
    for (let x = Math.floor(left / size); x < (left + width) / size; x++) {
      const href = `https://tile.openstreetmap.org/${zoom}/${((x % count) + count) % count}/${y}.png`;
      const tile = drawn('image', { x: x * size - left, y: y * size - top, width: size, height: size, href });
      // Without a way to the tiles there is the colour behind them.
      tile.addEventListener('error', () => {
        tile.remove();
        if (!footer.textContent.endsWith(noTiles)) footer.append(noTiles);
      });
      clip.append(tile);
    }
  }
  return clip;
}

function drawObject(object, popup) {
  const { type, x, y, radius, coords } = object;
  const shape =
    type === 'spot'
      ? drawn('circle', { cx: x, cy: y, r: Math.max(0, radius) })
      : drawn('polygon', { points: coords.map((corner) => `${corner.x},${corner.y}`).join(' ') });
  shape.classList.add('object');
  const style = {
    fill: object.color,
    'fill-opacity': object.opacity,
    stroke: object.stroke_color,
    'stroke-opacity': object.stroke_opacity,
    'stroke-width': object.stroke_width,
    'hover-fill': object.hover_color,
    'hover-fill-opacity': object.hover_opacity,
    'hover-stroke': object.hover_stroke_color,
    'hover-stroke-opacity': object.hover_stroke_opacity,
    'hover-stroke-width': object.hover_stroke_width,
  };
  for (const [name, value] of Object.entries(style)) shape.style.setProperty(`--${name}`, value);
  if (blendModes.has(object.blend_mode)) shape.style.mixBlendMode = object.blend_mode;
  const title = drawn('title');
  title.textContent = object.name;
  shape.append(title);
  if (popup !== undefined || object.click_action !== 'none') {
    shape.classList.add('acts');
    shape.setAttribute('tabindex', '0');
    const act = () => click(object, popup);
    shape.addEventListener('click', act);
    shape.addEventListener('keydown', ({ key }) => key === 'Enter' && act());
  }
  if (!object.pin || type !== 'spot') return [shape];
  // A drop with its tip in the middle of the lower half.
  const pin = drawn('path', {
    class: 'pin',
    d: 'M0 .55C-.5 0-.42-.55 0-.55S.5 0 0 .55Z',
    transform: `translate(${x} ${y}) scale(${radius})`,
  });
  return [shape, pin];
}

function click({ click_action, click_action_artboard_id, click_action_url, open_link_in_new_tab }, popup) {
  if (click_action === 'change-artboard' && project.artboards.some(({ id }) => id === click_action_artboard_id)) {
    choose(click_action_artboard_id);
  } else if (click_action === 'follow-link' && isAddress(click_action_url)) {
    window.open(click_action_url, open_link_in_new_tab ? '_blank' : '_self', 'noopener');
  } else if (popup !== undefined) showPopup(popup);
}

const isAddress = (text) => /^https?:\/\//i.test(text);

function showPopup({ title, image, content, buttonText, buttonAction, buttonLink, maxWidth }) {
  const parts = [
    element('button', { className: 'close', textContent: '×', title: 'Close', onclick: () => (card.hidden = true) }),
  ];
  if (title !== '') parts.push(element('h2', { textContent: title }));
  if (/^(https:|data:image\/)/.test(image)) parts.push(element('img', { src: image, alt: '' }));
  parts.push(...harmless(new DOMParser().parseFromString(content, 'text/html').body));
  if (buttonText !== '' && buttonAction === 'follow-link' && isAddress(buttonLink)) {
    parts.push(
      element('p', {}, element('a', { textContent: buttonText, href: buttonLink, target: '_blank', rel: 'noopener noreferrer' })),
    );
  }
  card.style.maxWidth = `${maxWidth}px`;
  card.replaceChildren(...parts);
  card.hidden = false;
}

/** What is inside, without anything that could run or load: elements of the list, without attributes, and links. */
function harmless(parsed) {
  return [...parsed.childNodes].flatMap((node) => {
    if (node.nodeType === Node.TEXT_NODE) return [node.textContent];
    if (node.nodeType !== Node.ELEMENT_NODE || ['SCRIPT', 'STYLE'].includes(node.tagName)) return [];
    const inside = harmless(node);
    if (allowedTags.has(node.tagName)) return [element(node.tagName, {}, ...inside)];
    const href = node.tagName === 'A' ? (node.getAttribute('href') ?? '') : '';
    return isAddress(href) ? [element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, ...inside)] : inside;
  });
}

/** The wheel zooms where the pointer is, a drag moves, a double click shows everything. */
function letMove(svg, seen, look, whole) {
  const perPixel = () => 1 / svg.getScreenCTM().a;
  svg.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const [x, y, width, height] = seen();
      const scale = Math.exp(event.deltaY * 0.0015);
      const to = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      look([to.x + (x - to.x) * scale, to.y + (y - to.y) * scale, width * scale, height * scale]);
    },
    { passive: false },
  );
  let from;
  svg.addEventListener('pointerdown', ({ clientX, clientY }) => (from = { clientX, clientY, box: seen(), scale: perPixel() }));
  svg.addEventListener('pointermove', ({ buttons, clientX, clientY }) => {
    if (buttons === 0) from = undefined;
    if (from === undefined) return;
    const [x, y, width, height] = from.box;
    look([x - (clientX - from.clientX) * from.scale, y - (clientY - from.clientY) * from.scale, width, height]);
  });
  svg.addEventListener('pointerup', () => (from = undefined));
  svg.addEventListener('dblclick', () => look(whole));
}

/** The projects there are; opens the one in the address, or the newest. */
async function listAgain() {
  const projects = await listProjects();
  choice.replaceChildren(...projects.map(({ id, name }) => element('option', { value: id, textContent: name })));
  const wanted = location.hash.slice(1);
  const { id } = projects.find((one) => one.id === wanted) ?? projects.at(-1) ?? {};
  if (id === undefined) {
    stage.replaceChildren(element('p', { textContent: 'There is no project yet. "npx mapwright demo" loads four.' }));
    return say('');
  }
  choice.value = id;
  open(id).catch((error) => say(error.message));
}

choice.addEventListener('change', () => {
  location.hash = choice.value;
});
addEventListener('hashchange', () => listAgain().catch((error) => say(error.message)));
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') card.hidden = true;
});
listAgain().catch((error) => say(error.message));
