/** Sign-in, and the dialogs about people and devices, which are loaded when the first of them is shown. */
export { SignInAgain, SignInScreen } from '../server/sign-in-screen.tsx';
export { DevicePanel } from './device-panel.tsx';
export { LessRights } from './less-rights.tsx';
export { OwnPanel } from './own-panel.tsx';
export { PeoplePanel } from './people-panel.tsx';
export { SharePanel } from './share-panel.tsx';
