/**
 * A file of a project: a picture that was uploaded. Its bytes are a blob on disk. Only its name can be changed; the server sets the rest when
 * the bytes have arrived.
 */
import Type, { type Static } from 'typebox';
import { hiddenText, readOnlyNumber, readOnlyText, readOnlyTime } from '../members.ts';

/** No path, nothing that a terminal or a header would read as a command, and something to see. */
const namePattern = '^(?!\\.{1,2}$)(?!\\s*$)[^\\u0000-\\u001f\\u007f/\\\\]+$';

export const fileNameLengthMax = 200;

export const FileSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    name: Type.String({
      description: `Name of the file: 1 to ${fileNameLengthMax} characters, without slashes and control characters`,
      pattern: namePattern,
      maxLength: fileNameLengthMax,
      examples: ['plan.png'],
    }),
    type: readOnlyText('Media type, recognized from the bytes'),
    bytes: readOnlyNumber('Size in bytes'),
    width: readOnlyNumber('Pixels; of an SVG that names no size, those of its viewBox'),
    height: readOnlyNumber('Pixels, as `width`'),
    url: readOnlyText('Path of the public address, `/f/…`. It stays the same when the name changes'),
    created: readOnlyTime('Time of the upload'),
    digest: hiddenText('SHA-256 of the bytes, 64 hex digits: the name of the blob'),
  },
  { title: 'File', description: 'A picture that was uploaded to a project.', additionalProperties: false },
);

export type File = Static<typeof FileSchema>;
