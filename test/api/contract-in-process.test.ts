// process: own
/** The tests of contract.test.ts through `server.fetch`, without a socket. */
process.env['MAPWRIGHT_VIA'] = 'process';
await import('./contract.test.ts');
