/** An event as `text/event-stream` writes it (WHATWG HTML, 9.2). */

/**
 * @param data a line of text: JSON without line breaks
 * @param id what a client that is cut off names to go on behind this event; '' to let it name the one before
 */
export function eventText(name: string, data: string, id = ''): string {
  return `event: ${name}\ndata: ${data}\n${id === '' ? '' : `id: ${id}\n`}\n`;
}

/** No event: it moves the place from which a client goes on. */
export function placeText(id: string): string {
  return `id: ${id}\n\n`;
}
