/** Lets the browser save a file. */

/** Browsers read the file some time after the click. */
const keptMs = 60_000;

/** @param name with its extension */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs);
}
