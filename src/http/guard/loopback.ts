/** Connections of this machine. */

const address = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;

/** True for an address of a connection that is one of this machine. */
export const isLoopbackAddress = (text: string): boolean => address.test(text);

/** The host in `Host`. */
export const withoutPort = (host: string): string => host.replace(/:\d{1,5}$/, '');
