/** The icons of both sets as the drawing module takes them. */
import { loadSets } from '../icons/icon-file.ts';
import { type MapIcon, readIcons } from './drawing-module.ts';

export const loadIcons = (): Promise<ReadonlyMap<string, MapIcon>> => loadSets().then(readIcons);
