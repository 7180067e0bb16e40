/** A project to upload files to, over real HTTP. */
import fs from 'node:fs';
import path from 'node:path';
import type { Answer, Ask, Mapwright, Shown } from '../support/mapwright.ts';
import { png } from './pictures.ts';

/** An answer with its bytes. */
export interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

export class FilesWorld {
  readonly mapwright: Mapwright;
  readonly projectId: string;

  constructor(mapwright: Mapwright, projectId: string) {
    this.mapwright = mapwright;
    this.projectId = projectId;
  }

  /** Path of the project below the version prefix. */
  get at(): string {
    return `/projects/${this.projectId}`;
  }

  upload(bytes: Buffer | string = png(), name = 'plan.png', ask: Ask & { readonly query?: string } = {}): Promise<Answer> {
    const { query = '', headers, ...others } = ask;
    const all = { 'content-type': 'application/octet-stream', ...headers };
    return this.mapwright.post(`${this.at}/files?name=${encodeURIComponent(name)}${query}`, bytes, { ...others, headers: all });
  }

  async uploaded(bytes?: Buffer | string, name?: string): Promise<Shown> {
    return (await this.upload(bytes, name)).shown;
  }

  async list(query = ''): Promise<Shown[]> {
    return (await this.mapwright.get(`${this.at}/files${query}`)).list;
  }

  /** Gets a public path, without a key. */
  async fetch(url: unknown, headers: Record<string, string> = {}, method = 'GET'): Promise<Fetched> {
    const response = await fetch(`http://127.0.0.1:${this.mapwright.port}${url}`, { method, headers });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  /** Names of the blobs on the disk, and of the files of uploads. */
  blobs(): { readonly digests: string[]; readonly uploads: string[] } {
    const folder = path.join(this.mapwright.data, 'blobs');
    const namesIn = (name: string): string[] => fs.readdirSync(path.join(folder, name));
    const folders = fs.readdirSync(folder).filter((name) => name.length === 2);
    return { digests: folders.flatMap(namesIn).sort(), uploads: namesIn('tmp') };
  }

  blobPath(digest: string): string {
    return path.join(this.mapwright.data, 'blobs', digest.slice(0, 2), digest);
  }
}

export async function filesWorld(mapwright: Mapwright, ask?: Ask): Promise<FilesWorld> {
  return new FilesWorld(mapwright, (await mapwright.post('/projects', {}, ask)).shown.id);
}
