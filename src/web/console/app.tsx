/** The frame of all screens: sign-in first, then the screen of the address. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { texts } from './console-texts.ts';
import { controlsOf } from './controls.ts';
import { EditorScreen } from './editor/screen/editor-screen.tsx';
import { Lazy } from './lazy.tsx';
import { hashOf, type Route, routeOf } from './screen-route.ts';
import { isCode, sessionState, startSession } from './server/console-session.ts';

const route = signal<Route>(routeOf(location.hash));

addEventListener('hashchange', () => {
  if (isCode(location.hash)) {
    // Without a screen in the address, the present one stays, and so does its address.
    const named = routeOf(location.hash);
    void startSession().then(() => {
      // Not before: the project would be asked for with the session that ends.
      if (named.screen !== 'editor') return;
      history.replaceState(null, '', hashOf(named));
      route.value = named;
    });
    history.replaceState(null, '', hashOf(named.screen === 'editor' ? named : route.value));
  } else route.value = routeOf(location.hash);
});

const loadCards = () => import('./cards/cards-screen.tsx').then(({ CardsScreen }) => CardsScreen);
const loadSignIn = () => import('./people/people-module.ts').then(({ SignInScreen }) => SignInScreen);
const loadLessRights = () => import('./people/people-module.ts').then(({ LessRights }) => LessRights);
const loadSignInAgain = () => import('./people/people-module.ts').then(({ SignInAgain }) => SignInAgain);

/** Shows a screen. */
export function go(to: Route, { replace = false } = {}): void {
  if (replace) {
    history.replaceState(null, '', hashOf(to));
    route.value = to;
  } else if (location.hash !== hashOf(to)) location.hash = hashOf(to);
}

export function App() {
  const state = sessionState.value;
  const here = route.value;
  useEffect(() => {
    if (state.is !== 'signed-in') document.title = texts.name;
  }, [state]);
  if (state.is === 'starting') return <p class="starting">{texts.loading}</p>;
  if (state.is === 'signed-out') return <Lazy key="sign-in" load={loadSignIn} props={{ why: state.why }} />;
  const { session, ended, waiting } = state;
  // A session that may do less has other screens.
  const key = `${session.account} ${controlsOf(session).canWrite}`;
  return (
    <>
      {here.screen === 'cards' ? (
        <Lazy
          key={`${session.id} ${session.rights} ${session.projects}`}
          load={loadCards}
          props={{ session, go, folder: here.folder ?? '' }}
        />
      ) : (
        <EditorScreen key={`${key} ${here.project}`} session={session} route={here} go={go} />
      )}
      {waiting !== undefined && !controlsOf(waiting).canWrite && <Lazy load={loadLessRights} props={{}} />}
      {ended !== undefined && <Lazy load={loadSignInAgain} props={{ why: ended }} />}
    </>
  );
}
