/** What a body may be, by the newer original: the tests of bodies.test.ts over its table. */
process.env['MAPWRIGHT_COMPAT'] = 'latest';
await import('./bodies.test.ts');
