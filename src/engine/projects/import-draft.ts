/**
 * A project that is being imported. The document is read member by member while it arrives. Each member is checked and kept as a row in
 * the encoding of the log, so the draft takes no more memory than the record will. A member may refer to one that follows later in the
 * document, so references are changed to the new identifiers when the document is complete. Places are converted to pixels then, too: an
 * artboard is complete only after its objects.
 */
import { RecordTooLargeError } from '../../lib/errors.ts';
import { pointerTo } from '../../lib/field-error.ts';
import { type ParsedJson, parseJson, parsingJson } from '../../lib/json/json.ts';
import { JsonParts, JsonPartsError, type PartsTaker, type PartWork, type Plan } from '../../lib/json/json-parts.ts';
import { type BodyCheck, checkImported, FieldErrorList, isObject, sliceElements } from '../../model/bodies/check-body.ts';
import { contentMember, documentFormat, documentVersion } from '../../model/document.ts';
import type { CollectionName, Resource } from '../../model/resource.ts';
import { projects, resourceOf } from '../../model/resources.ts';
import { pack, unpack } from '../../model/stored.ts';
import type { Body, Row, Value } from '../../model/value.ts';
import type { Author, Context } from '../command.ts';
import type { ImportedFiles } from '../files/imported-files.ts';
import { checkObject } from '../write/check-corners.ts';
import { keyTaken, type NamedObject } from '../write/check-keys.ts';
import { hasPlaces, PlaceConverter } from '../write/place-converter.ts';
import { IdMap } from './id-remap.ts';
import { type Building, type BuildingBounds, ProjectBuilder } from './project-builder.ts';

/** Size of the JSON of members that are packed together, in bytes. */
const packedTogetherBytes = 64 * 1024;
/** Size in bytes above which the JSON of a part is parsed in slices. */
const largePartBytes = 64 * 1024;
/** Memory of a key and the name of its object, besides their characters, in bytes. */
const keyBytes = 200;
/** Memory of a {@link Rows} besides its packed bytes, in bytes. */
const rowsBytes = 200;

interface DocumentPlan extends Plan {
  /** The part is a file. */
  readonly isFile?: true;
  /** The resource of the part; `undefined` for the document itself, and for a file. */
  readonly resource: Resource | undefined;
  /** The collection that the part is a member of; `undefined` for the project and the document. */
  readonly collection: CollectionName | undefined;
}

/** Adjacent members of a collection, with their new identifiers and their old references. */
interface Rows {
  readonly collection: CollectionName;
  readonly parentId: string;
  readonly packed: Buffer;
}

/** An object with places: its new identifier, its pointer, and the JSON of its body. All other rows begin with their identifier. */
type PlacedRow = readonly [mark: null, id: string, at: string, json: string];

const isPlaced = (row: unknown): row is PlacedRow => Array.isArray(row) && row[0] === null;

const nothingFixed: Body = {};
const documentMembers = ['format', 'version', 'project', 'files'];

export class ImportDraft implements PartsTaker<DocumentPlan> {
  readonly author: Author;
  readonly fieldErrors = new FieldErrorList();
  readonly #newId: () => string;
  readonly #bytesMax: number;
  readonly #bodyCheck: BodyCheck | undefined;
  readonly #admit: ((memoryBytes: number) => void) | undefined;
  readonly #parts: JsonParts<DocumentPlan>;
  readonly #files: ImportedFiles | undefined;
  #newIds: IdMap;
  #rows: Rows[] = [];
  #rowsBytes = 0;
  /** Members that are not packed yet, and the size of their JSON in bytes. */
  #waiting: Row[] = [];
  #waitingBytes = 0;
  #path: Pick<Rows, 'collection' | 'parentId'> = { collection: 'artboards', parentId: '' };
  /** The project's own members. */
  #project: Value | undefined;
  /** New identifier of the artboard that is being read. */
  #artboardId: string | undefined;
  /** The objects with keys of the artboard that is being read, by key. */
  #keyed = new Map<string, NamedObject>();
  #keyedBytes = 0;
  /** New identifiers of artboards with objects that were sent with places. */
  readonly #mapped = new Set<string>();
  #isOfAnotherKind = false;
  /** The pointer to a part that is being read in slices. */
  #at: string | undefined;

  /**
   * @param bytesMax maximum size of the record, in bytes
   * @param partBytesMax maximum JSON of one member, and of the project without its collections, in bytes: each is kept in memory whole
   * @param bodyCheck the host's additional check, made for every member
   * @param admit called before a large part is parsed; throws if there is no memory for it
   * @param files stores the files of the document; without it, they are left out
   */
  constructor(
    author: Author,
    { newId }: Pick<Context, 'newId'>,
    bytesMax: number,
    partBytesMax: number,
    bodyCheck?: BodyCheck,
    admit?: (memoryBytes: number) => void,
    files?: ImportedFiles,
  ) {
    this.author = author;
    this.#files = files;
    this.#newIds = new IdMap(files?.publicUrl);
    this.#parts = new JsonParts(documentPlan, this, partBytesMax);
    this.#newId = newId;
    this.#bytesMax = bytesMax;
    this.#bodyCheck = bodyCheck;
    this.#admit = admit;
  }

  /** Memory of the draft, in bytes. */
  get heldBytes(): number {
    const filesBytes = this.#files?.heldBytes ?? 0;
    return this.#parts.heldBytes + this.#waitingBytes + this.#rowsBytes + this.#newIds.bytes + this.#keyedBytes + filesBytes;
  }

  /** Whether the rest of the document can add nothing to the response. */
  get isHopeless(): boolean {
    return this.fieldErrors.full || this.#isOfAnotherKind;
  }

  /** Reads the next piece. Throws a JsonPartsError for invalid JSON, and a {@link RecordTooLargeError}; other errors are collected. */
  write(piece: Buffer): void {
    this.#parts.write(piece);
  }

  /** Does what {@link write} does, in slices. */
  writing(piece: Buffer): Generator<void> {
    return this.#parts.writing(piece);
  }

  /** Stores what the pieces so far have of files. Call it after each piece. Rejects as {@link ImportedFiles.settle} does. */
  async settleFiles(): Promise<void> {
    await this.#files?.settle(this.fieldErrors);
  }

  /** Frees the bytes of files: call it when the project is committed or refused. */
  async release(): Promise<void> {
    await this.#files?.release();
  }

  /** Ends the document. Throws a JsonPartsError if it is not complete. */
  end(): void {
    this.#parts.end();
    this.#pack();
  }

  /** Builds the project, with references changed to the new identifiers. */
  *build(context: Context, bounds: BuildingBounds): Generator<void, Building> {
    const fieldErrors = this.fieldErrors.toArray();
    if (fieldErrors.length > 0 || this.#project === undefined) return { outcome: 'invalid', version: 0, fieldErrors };
    const made = new ProjectBuilder(this.author, this.#newIds, context, bounds);
    for (const { oldPath, slug } of this.#files?.addresses() ?? []) this.#newIds.addFile(oldPath, slug);
    made.putProject(this.#project, nothingFixed);
    const converters = new Map<string, PlaceConverter>();
    let visited = 0;
    // The reader delivers an artboard after its objects; the builder needs it before them.
    const isArtboards = ({ collection }: Rows): boolean => collection === 'artboards';
    for (const rows of [...this.#rows.filter(isArtboards), ...this.#rows.filter((rows) => !isArtboards(rows))]) {
      for (const row of unpack(rows.packed)) {
        const value = isPlaced(row)
          ? this.#converted(row, converters.get(rows.parentId) as PlaceConverter)
          : resourceOf[rows.collection].fromRow(row);
        if (this.#mapped.has(value.id)) converters.set(value.id, new PlaceConverter(value));
        made.put(rows.collection, rows.parentId, value.id, value);
        if (++visited % sliceElements === 0 || isPlaced(row)) yield;
      }
      if (this.fieldErrors.full) break;
    }
    if (this.fieldErrors.size > 0) return { outcome: 'invalid', version: 0, fieldErrors: this.fieldErrors.toArray() };
    for (const value of this.#files?.values(context) ?? []) {
      made.put('files', '', value.id, value);
      if (++visited % sliceElements === 0) yield;
    }
    return { outcome: 'built', projectId: made.projectId, record: made.finish() };
  }

  begin({ collection, resource, isFile }: DocumentPlan, beside: Buffer | undefined): PartWork {
    if (isFile) this.#files?.begin(this.#parts.pointer());
    else if (collection === 'artboards') {
      this.#artboardId = this.#newId();
      this.#keyed = new Map();
      this.#keyedBytes = 0;
    }
    // The head is checked first: the members of a document of another version cannot be judged.
    else if (resource === projects && beside !== undefined) {
      return this.#read(beside, (value) => this.#checkDocument(value, true));
    }
    return undefined;
  }

  part(plan: DocumentPlan, bytes: Buffer): PartWork {
    return this.#isOfAnotherKind ? undefined : this.#read(bytes, (value) => this.#take(plan, value, bytes.length));
  }

  text(_: DocumentPlan, characters: Buffer): void {
    if (!this.#isOfAnotherKind) this.#files?.text(characters, this.fieldErrors);
  }

  #take({ resource, collection, isFile }: DocumentPlan, value: unknown, bytes: number): void {
    if (isFile) this.#files?.part(value, this.#pointer(), this.fieldErrors);
    else if (resource === undefined) this.#checkDocument(value, false);
    else if (!checkImported(resource, value, () => this.#pointer(), this.fieldErrors)) this.#discard();
    else if (this.#isRefused(resource, value)) this.#discard();
    else if (collection === undefined) this.#project = projects.create(String(value['id'] ?? ''), nothingFixed, value);
    else this.#add(collection, resource, value, bytes);
  }

  /** Whether the host's check rejects a member that is valid by its schema. */
  #isRefused(resource: Resource, body: Body): boolean {
    if (this.#bodyCheck === undefined) return false;
    const before = this.fieldErrors.size;
    this.#bodyCheck.check(resource, body, this.#pointer(), this.fieldErrors);
    return this.fieldErrors.size > before;
  }

  /** Parses a part and passes it to `take`: immediately, or in slices if it is large. */
  #read(bytes: Buffer, take: (value: unknown) => void): PartWork {
    if (bytes.length > largePartBytes) return this.#reading(bytes, take, this.#parts.pointer());
    take(this.#valueOf(parseJson(bytes)));
    return undefined;
  }

  *#reading(bytes: Buffer, take: (value: unknown) => void, at: string): Generator<void> {
    this.#at = at;
    take(this.#valueOf(yield* parsingJson(bytes, this.#admit && { admit: this.#admit })));
    this.#at = undefined;
  }

  #valueOf(parsed: ParsedJson): unknown {
    if (parsed.failure !== undefined) {
      const at = this.#pointer();
      throw new JsonPartsError(`${at === '' ? '' : `${at}: `}${parsed.failure}`, parsed.tooLarge === true);
    }
    for (const { pointer, detail } of parsed.fieldErrors) this.fieldErrors.add(this.#pointer() + pointer, detail);
    return parsed.value;
  }

  /** The pointer to the part that is being read. */
  #pointer(): string {
    return this.#at ?? this.#parts.pointer();
  }

  /** Checks the document itself, without the project. @param isBegun whether more members may follow */
  #checkDocument(value: unknown, isBegun: boolean): void {
    if (!isObject(value)) return;
    const { format, version, project, files } = value;
    const before = this.fieldErrors.size;
    if (format !== documentFormat && !(isBegun && format === undefined)) {
      this.fieldErrors.add('/format', `must be "${documentFormat}": the file is not a project export`);
    } else if (version !== documentVersion && !(isBegun && version === undefined)) {
      this.fieldErrors.add('/version', `must be ${documentVersion}, the version that this server reads`);
    }
    this.#isOfAnotherKind ||= this.fieldErrors.size > before;
    if (project !== undefined) this.fieldErrors.add('/project', 'must be a project: a JSON object');
    else if (!isBegun && this.#project === undefined && before === 0) this.fieldErrors.add('/project', 'is required');
    if (files !== undefined) this.fieldErrors.add('/files', 'must be a list of files: a JSON array');
    for (const name of Object.keys(value)) {
      if (!documentMembers.includes(name)) this.fieldErrors.add(pointerTo('', name), 'is not a member of a project document');
    }
    if (this.fieldErrors.size > 0) this.#discard();
  }

  #add(collection: CollectionName, resource: Resource, body: Body, bytes: number): void {
    const isHolder = resource.collections.length > 0;
    const newId = (isHolder ? this.#artboardId : undefined) ?? this.#newId();
    const parentId = collection === 'objects' ? (this.#artboardId ?? '') : '';
    if (isHolder) this.#artboardId = undefined;
    const { id } = body;
    if (typeof id === 'string' && id !== '' && !this.#newIds.add(collection, id, newId)) {
      this.fieldErrors.add(pointerTo(this.#pointer(), 'id'), 'occurs twice in the document: send each member once');
    }
    if (resource.isKeyed) this.#checkKey(body);
    if (this.fieldErrors.size > 0) {
      this.#discard();
      return;
    }
    if (this.#path.collection !== collection || this.#path.parentId !== parentId) this.#pack();
    this.#path = { collection, parentId };
    if (collection === 'objects' && hasPlaces(body)) {
      this.#mapped.add(parentId);
      this.#waiting.push([null, newId, this.#pointer(), JSON.stringify(body)] satisfies PlacedRow);
    } else this.#waiting.push(resource.toRow(resource.create(newId, nothingFixed, body)));
    this.#waitingBytes += bytes;
    if (this.#waiting.length >= sliceElements || this.#waitingBytes > packedTogetherBytes) this.#pack();
  }

  #converted([, id, at, json]: PlacedRow, converter: PlaceConverter): Value {
    const body = converter.converted(JSON.parse(json) as Body, undefined, () => at, this.fieldErrors);
    checkObject(body, undefined, at, this.fieldErrors);
    return resourceOf.objects.create(id, nothingFixed, body);
  }

  #checkKey({ key, id, name = 'Untitled Object' }: Body): void {
    if (typeof key !== 'string' || key === '') return;
    const one = { id: id as string | undefined, name: name as string };
    const before = this.#keyed.get(key);
    if (before !== undefined) this.fieldErrors.add(pointerTo(this.#pointer(), 'key'), keyTaken(key, before, one));
    this.#keyed.set(key, one);
    this.#keyedBytes += keyBytes + 2 * (key.length + one.name.length);
  }

  #pack(): void {
    if (this.#waiting.length === 0) return;
    const packed = pack(this.#waiting);
    this.#rows.push({ ...this.#path, packed });
    this.#rowsBytes += packed.length + rowsBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (this.#rowsBytes - this.#rows.length * rowsBytes > this.#bytesMax) {
      throw new RecordTooLargeError(`the project has more than ${this.#rowsBytes} bytes; the maximum is ${this.#bytesMax}`);
    }
  }

  /** Frees the rows after an error. From here on, the document is only read for more errors. */
  #discard(): void {
    this.#rows = [];
    this.#rowsBytes = 0;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#newIds = new IdMap(this.#files?.publicUrl);
  }
}

const filePlan: DocumentPlan = {
  resource: undefined,
  collection: undefined,
  isFile: true,
  texts: new Set([contentMember]),
};

/** The plan of the document: a project whose collections are read member by member, and its files. */
const documentPlan: DocumentPlan = {
  resource: undefined,
  collection: undefined,
  objects: { project: planOf(projects, undefined) },
  arrays: { files: filePlan },
};

function planOf(resource: Resource, collection: CollectionName | undefined): DocumentPlan {
  const arrays = Object.fromEntries(resource.collections.map((held) => [held.name, planOf(held.resource, held.name)]));
  return { resource, collection, ...(resource.collections.length === 0 ? {} : { arrays }) };
}
