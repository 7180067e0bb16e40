/** `GET /projects/:project_id/export`: a project as one document, for backup or import. */
import Type from 'typebox';
import type { Reply } from '../http/response/reply.ts';
import { isDeviceName } from '../lib/files/file-name.ts';
import { documentFormat, documentFormatSchema, documentVersion, documentVersionSchema } from '../model/document.ts';
import { projects } from '../model/resources.ts';
import type { View } from '../store/list/views.ts';
import { replyTo } from './crud/conditional-read.ts';
import { projectTarget, viewQuery } from './crud/handlers.ts';
import { one } from './crud/render.ts';
import { type Api, endpoint, type Request } from './declaration.ts';

/** The beginning of the document. It is the same in every export, so that equal versions give equal bytes. */
const head = `{"format":"${documentFormat}","version":${documentVersion},"project":`;

/** Maximum length of the project name in a file name, in characters. */
const nameMax = 64;

export const exportEndpoints = [
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/export',
    id: 'exportProject',
    tag: 'Projects',
    summary: 'Export a project as a document',
    description: 'The whole project at one moment, for a backup or an import elsewhere. It contains no secrets.',
    response: Type.Object(
      { format: documentFormatSchema, version: documentVersionSchema, project: projects.bodies.response },
      { title: 'ProjectDocument', description: 'A project as a file.', additionalProperties: false },
    ),
    isFile: true,
    handle: exportProject,
  }),
];

function exportProject(api: Api, request: Request): Reply | Promise<Reply> {
  return replyTo(api, request, viewQuery(projectTarget(request), undefined), (view, etag) => {
    const headers = {
      'Content-Disposition': `attachment; filename="${fileStem(String(view.value['name']), 'project')}.mapwright.json"`,
    };
    return { kind: 'stream', status: 200, etag, headers, stream: document(view, api) };
  });
}

function* document(view: View, { cache }: Api): Generator<string | Buffer, void> {
  yield head;
  yield* one(view, undefined, cache);
  yield '}';
}

/**
 * A file name that every file system accepts, without its extension: letters without accents, and digits.
 *
 * @param fallback for a name without any
 */
export function fileStem(name: string, fallback: string): string {
  const plain = name.slice(0, nameMax).normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const words = plain.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, nameMax);
  const stem = words.replaceAll(/^-|-$/g, '') || fallback;
  return `${isDeviceName(stem) ? `${fallback}-` : ''}${stem}`;
}
