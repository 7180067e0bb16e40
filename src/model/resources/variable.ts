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
  },
);

export const VariableSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    name: text('Untitled Variable', { description: 'Display name' }),
    type: oneOf(variableTypes, 'primitive', { description: 'Source of the value' }),
    data_source_id: reference('data_sources', 'Identifier of the data source it is taken from'),
    iterator_id: reference('variables', 'Identifier of the iterator variable'),
    custom_value: text('', { description: 'For "custom"' }),
    expression: text('', { description: 'For "expression"' }),
    data_path: DataPath,
    color_interpolation_range_start: number(0, { description: 'Factor for the first colour' }),
    color_interpolation_range_end: number(100, { description: 'Factor for the last colour' }),
    color_interpolation_factor_variable_id: reference('variables', 'Variable that is the interpolation factor'),
    color_interpolation_colors: texts({ description: 'Colours from the start of the range to its end' }),
    color_interpolation_smooth: flag(true, { description: 'Blend adjacent colours' }),
    random_from: number(0, { description: 'For "random": the minimum' }),
    random_to: number(1, { description: 'For "random": the maximum' }),
  },
  { title: 'Variable', description: 'A value that styles, positions and other variables use.', additionalProperties: false },
);

export type Variable = Static<typeof VariableSchema>;
