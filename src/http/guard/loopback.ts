/** Connections of this machine. */

const address = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;

/** Whether an address of a connection is one of this machine. */
export const isLoopbackAddress = (text: string): boolean => address.test(text);

/** The host in `Host`. */
export const withoutPort = (host: string): string => host.replace(/:\d{1,5}$/, '');
