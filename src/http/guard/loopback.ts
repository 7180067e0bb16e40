/** Addresses and hosts of this machine. */

const address = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;
const host = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;

/** Whether an address of a connection is one of this machine. */
export const isLoopbackAddress = (text: string): boolean => address.test(text);

/** Whether a host, with or without a port, names this machine, as in `Host`. */
export const isLoopbackHost = (text: string): boolean => host.test(text);
