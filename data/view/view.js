/**
 * Shows a project as it is stored, and again whenever the server reports a change. `viewer.js` draws it. Addresses are relative: `v1/` is the
 * API, read-only, with the key that `mapwright view` has.
 */

/** Wait before a feed that ended is opened again, in milliseconds. */
const retryMs = 2000;
/** Changes within this time are drawn together, in milliseconds. */
const gatherMs = 100;

const at = (id) => document.getElementById(id);
const [choice, map, empty, state] = ['projects', 'map', 'empty', 'state'].map(at);

/** Ends the feed of the project that was shown before. */
let following = new AbortController();

/** The response of the API; throws an error with the text of its problem. */
async function ask(path, options) {
  const response = await fetch(`v1/${path}`, options);
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw Object.assign(new Error(problem.detail ?? `The server returned ${response.status}.`), { status: response.status });
}

async function listProjects() {
  const projects = [];
  for (let path = 'projects?fields=name&limit=1000'; path !== undefined; ) {
    const response = await ask(path);
    projects.push(...(await response.json()));
    path = /<[^>]*\/(projects\?[^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  return projects;
}

/** Reads the project and draws it; returns the id from which its feed continues. */
async function read(id, signal) {
  const response = await ask(`projects/${id}`, { signal });
  const project = await response.json();
  document.title = `${project.name} · mapwright`;
  show(project.artboards.length === 0 ? 'This project has no artboard yet. Create one, and it appears here.' : undefined);
  map.map = project;
  // The tag of a compressed response has a suffix after the version.
  return response.headers.get('ETag').replace(/^W\/|"|-(?:br|gzip)(?="$)/g, '');
}

/** Shows the map, or a text instead of it. */
function show(text) {
  map.hidden = text !== undefined;
  empty.hidden = text === undefined;
  empty.textContent = text ?? '';
}

/** Shows a project, and follows it until another one is shown. */
async function open(id) {
  following.abort();
  following = new AbortController();
  const { signal } = following;
  while (!signal.aborted) {
    try {
      await follow(id, await read(id, signal), signal);
    } catch (error) {
      if (signal.aborted) return;
      say(error.status === undefined ? 'No response from the server. Trying again.' : error.message);
      if (error.status === 404) return listAgain();
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

async function follow(id, after, signal) {
  const response = await ask(`projects/${id}/events?after=${encodeURIComponent(after)}`, { signal });
  say('live', true);
  let text = '';
  let timer;
  // The content of events is not used: a project is read with one request.
  const again = () => {
    timer = undefined;
    read(id, signal).catch(() => undefined);
  };
  try {
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
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

/** Lists the projects; opens the one in the address, or the newest. */
async function listAgain() {
  const projects = await listProjects();
  choice.replaceChildren(
    ...projects.map(({ id, name }) => Object.assign(document.createElement('option'), { value: id, textContent: name })),
  );
  const wanted = location.hash.slice(1);
  const { id } = projects.find((one) => one.id === wanted) ?? projects.at(-1) ?? {};
  if (id === undefined) {
    show('There is no project yet. "npx mapwright demo" loads four.');
    return say('');
  }
  choice.value = id;
  open(id).catch((error) => say(error.message));
}

choice.addEventListener('change', () => {
  location.hash = choice.value;
});
addEventListener('hashchange', () => listAgain().catch((error) => say(error.message)));
listAgain().catch((error) => say(error.message));
