/** What is loaded when the history is opened. */
export { HistoryPanel } from './history-panel.tsx';
export { VersionScreen } from './version-screen.tsx';
