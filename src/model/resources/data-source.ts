/** A data source: an HTTP request whose response variables read. */
import Type, { type Static } from 'typebox';
import { oneOf, openObjects, readOnlyText, text } from '../members.ts';

export const DataSourceSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    name: text('Untitled Data Source', { description: 'Display name' }),
    url: text('', { description: 'Target URL', 'x-form': { label: 'Address', editor: 'url' } }),
    method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], 'GET', {
      description: 'Method of the request',
      'x-form': { choices: { GET: 'GET', POST: 'POST', PUT: 'PUT', PATCH: 'PATCH', DELETE: 'DELETE' } },
    }),
    headers: openObjects({
      description: 'Request headers, which keys for reading do not see',
      'x-secret': true,
      'x-form': { hint: true, editor: 'rows' },
    }),
    body: text('', {
      description: 'Request body, sent unchanged',
      'x-form': { hint: true, editor: 'long-text', when: { method: ['POST', 'PUT', 'PATCH'] } },
    }),
  },
  {
    title: 'DataSource',
    description: 'An HTTP request whose response variables read. The server sends it; without a URL, clients push responses.',
    additionalProperties: false,
  },
);

export type DataSource = Static<typeof DataSourceSchema>;
