#!/usr/bin/env node
/** Entry point of the `mapwright` command where it is not bundled: for development and tests. The package has bundle-entry.ts. */
import { checkDescriptors } from './descriptor-check.ts';

if (checkDescriptors()) void import('./main.ts').then(({ main }) => main());
