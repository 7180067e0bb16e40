/** A data source: a request whose answer variables read. */
import Type, { type Static } from 'typebox';
import { oneOf, openObjects, readOnlyText, text } from '../members.ts';

export const DataSourceSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    name: text('Untitled Data Source', { description: 'What it is called in lists' }),
    url: text('', { description: 'Target URL' }),
    method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], 'GET', { description: 'Method of the request' }),
    headers: openObjects({ description: 'Request headers' }),
    body: text('', { description: 'Request body, sent as it is' }),
  },
  {
    title: 'DataSource',
    description: 'A request whose answer variables are taken from. It is made by whoever shows the map, not by this server.',
    additionalProperties: false,
  },
);

export type DataSource = Static<typeof DataSourceSchema>;
