/** The entry of the console: signs in, and shows the screen that the address names. */
import { render } from 'preact';
import { App } from './app.tsx';
import { startSession } from './server/console-session.ts';

render(<App />, document.body);
void startSession();
