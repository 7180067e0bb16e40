/** Encodes an event as `text/event-stream` (WHATWG HTML, 9.2). */

/**
 * @param data a single line: JSON without line breaks
 * @param id the client sends it as `Last-Event-ID` to resume after this event; '' to keep the previous one
 */
export function eventText(name: string, data: string, id = ''): string {
  return `event: ${name}\ndata: ${data}\n${id === '' ? '' : `id: ${id}\n`}\n`;
}

/** Only an id, no event: moves the position from which a client resumes. */
export function placeText(id: string): string {
  return `id: ${id}\n\n`;
}
