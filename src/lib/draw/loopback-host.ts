/** Names of this machine. */

const loopback = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/i;

/** True for a host, without a port, that is this machine for everybody who uses it. */
export const isLoopbackHost = (host: string): boolean => loopback.test(host);
