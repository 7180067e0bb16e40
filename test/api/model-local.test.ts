// tier: all, process: own
/** Memory equals a replay, whoever asks: the tests of model.test.ts, every other request as a call without HTTP. */
process.env['MAPWRIGHT_VIA'] = 'both';
await import('./model.test.ts');
