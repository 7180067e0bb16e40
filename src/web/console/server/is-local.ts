/** Which addresses open on one machine only. */

/** Names and addresses of the machine itself. */
const own = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/;

/** Whether an address works only in browsers on the machine of the server. */
export const isLocal = (address: string): boolean => own.test(new URL(address).hostname);
