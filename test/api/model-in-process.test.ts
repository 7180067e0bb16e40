// tier: all, process: own
/** The tests of model.test.ts, every other request through `server.fetch`. */
process.env['MAPWRIGHT_VIA'] = 'both';
await import('./model.test.ts');
