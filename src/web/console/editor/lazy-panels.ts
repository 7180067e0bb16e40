/** Panels of the form that are loaded when an object is selected. */
export { ArrangePanel } from './arrange-panel.tsx';
export { SeveralInspector } from './several-inspector.tsx';
