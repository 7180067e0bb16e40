/** A variable: a value that styles, positions and other variables use. */
import Type, { type Static } from 'typebox';
import { flag, number, oneOf, readOnlyText, reference, text, texts } from '../members.ts';

const variableTypes = [
  'primitive',
  'expression',
  'interpolate-color',
  'iterator',
  'primitive-from-iterator',
  'coords-from-data-source',
  'coords-from-iterator',
  'random',
  'custom',
] as const;

/** Types with a value of a response. */
const readsResponse = ['primitive', 'iterator', 'coords-from-data-source'] as const;
/** Types with a value of each item of a list. */
const readsItems = ['primitive-from-iterator', 'coords-from-iterator'] as const;

/** Missing members get their defaults; additional members are stored as sent. */
const DataPath = Type.Object(
  {
    nodes: Type.Optional(Type.Array(Type.Unknown(), { default: [] })),
    node_id: Type.Optional(text()),
    filters: Type.Optional(Type.Array(Type.Unknown(), { default: [] })),
    collapsed_nodes: Type.Optional(Type.Array(Type.Unknown(), { default: [] })),
  },
  {
    additionalProperties: true,
    default: { nodes: [], node_id: '', filters: [], collapsed_nodes: [] },
    description: 'Path of the value in the data',
    'x-form': { label: 'Path', editor: 'path', when: { type: [...readsResponse, ...readsItems] } },
  },
);

export const VariableSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    name: text('Untitled Variable', { description: 'Display name' }),
    type: oneOf(variableTypes, 'primitive', {
      description: 'Source of the value',
      'x-form': {
        label: 'Source of the value',
        choices: {
          primitive: 'A value in a response',
          expression: 'An expression',
          'interpolate-color': 'A colour for a number',
          iterator: 'A list in a response',
          'primitive-from-iterator': 'A value of each item of a list',
          'coords-from-data-source': 'Coordinates in a response',
          'coords-from-iterator': 'Coordinates of each item of a list',
          random: 'A random number',
          custom: 'A text of your own',
        },
      },
    }),
    data_source_id: reference('data_sources', {
      description: 'Identifier of the data source it is taken from',
      'x-form': { label: 'Data source', when: { type: readsResponse } },
    }),
    iterator_id: reference('variables', {
      description: 'Identifier of the iterator variable',
      'x-form': { label: 'Iterator', when: { type: readsItems } },
    }),
    custom_value: text('', {
      description: 'For "custom"',
      'x-form': { label: 'Value', editor: 'template', when: { type: 'custom' } },
    }),
    expression: text('', { description: 'For "expression"', 'x-form': { editor: 'expression', when: { type: 'expression' } } }),
    data_path: DataPath,
    color_interpolation_range_start: number(0, {
      description: 'Factor for the first colour',
      'x-form': { label: 'Number of the first colour', when: { type: 'interpolate-color' } },
    }),
    color_interpolation_range_end: number(100, {
      description: 'Factor for the last colour',
      'x-form': { label: 'Number of the last colour', when: { type: 'interpolate-color' } },
    }),
    color_interpolation_factor_variable_id: reference('variables', {
      description: 'Variable that is the interpolation factor',
      'x-form': { label: 'Variable that is the number', when: { type: 'interpolate-color' } },
    }),
    color_interpolation_colors: texts({
      description: 'Colours from the start of the range to its end',
      'x-form': { label: 'Colours', editor: 'colours', when: { type: 'interpolate-color' } },
    }),
    color_interpolation_smooth: flag(true, {
      description: 'Blend adjacent colours',
      'x-form': { label: 'Blend neighbouring colours', when: { type: 'interpolate-color' } },
    }),
    random_from: number(0, { description: 'For "random": the minimum', 'x-form': { label: 'From', when: { type: 'random' } } }),
    random_to: number(1, { description: 'For "random": the maximum', 'x-form': { label: 'To', when: { type: 'random' } } }),
  },
  { title: 'Variable', description: 'A value that styles, positions and other variables use.', additionalProperties: false },
);

export type Variable = Static<typeof VariableSchema>;
