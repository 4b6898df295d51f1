// How long one address of a name that has several is tried before the next.

/**
 * Node's own 250 ms are too short for a service on another continent, or for one lost packet: where the next was an IPv6 address and the machine had no
 * IPv6, no call came through. Three addresses fit into a call's deadline.
 */
export const EACH_ADDRESS_MS = 2_500
