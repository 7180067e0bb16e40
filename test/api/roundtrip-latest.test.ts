/** What is let in is stored and read back, by the newer original: the tests of roundtrip.test.ts over its table. */
process.env['MAPWRIGHT_COMPAT'] = 'latest';
await import('./roundtrip.test.ts');
