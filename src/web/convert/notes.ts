/** Collects the notes of a report, up to a limit. */
import type { Note } from './conversion.ts';

const notesMax = 1000;

export class Notes {
  readonly #notes: Note[] = [];
  #others = 0;
  #othersLeftOut = 0;

  /** Something was imported differently from what the file says. */
  add(code: string, at: string, detail: string): void {
    this.#push({ code, at, detail, leftOut: false });
  }

  /** Something was not imported. */
  leaveOut(code: string, at: string, detail: string): void {
    this.#push({ code, at, detail, leftOut: true });
  }

  #push(note: Note): void {
    if (this.#notes.length < notesMax) this.#notes.push(note);
    else {
      this.#others++;
      if (note.leftOut) this.#othersLeftOut++;
    }
  }

  /** All notes, and one that counts those above the limit. */
  list(): readonly Note[] {
    if (this.#others === 0) return this.#notes;
    const detail = `${this.#others} more notes; ${this.#othersLeftOut} of them are about rows or elements that were left out.`;
    return [...this.#notes, { code: 'more', at: '', detail, leftOut: this.#othersLeftOut > 0 }];
  }
}
