/** Where a request comes from, for the list of sessions and for limits. */
import { isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Undoes the ways in which some proxies write addresses, `203.0.113.7:4711` and `[2001:db8::1]:4711`, and IPv4 inside IPv6. */
const bare = (written: string) =>
  /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(written)?.[1] ??
  /^\[(.+)\](?::\d+)?$/.exec(written)?.[1] ??
  /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(written)?.[1] ??
  written

/** The caller's address. If what a header claims is not an address, it is the connection's own. */
export const addressOf = ({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string => {
  const claimed = bare(ip)
  return isIP(claimed) ? claimed : bare(socket.remoteAddress ?? '')
}

/** What limits count as one caller: an IPv4 address, or the /64 of an IPv6 address, because one customer has all of it. */
export const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address
  // The URL parser writes every IPv6 address in one form.
  const canonical = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1)
  const [head = '', tail = ''] = canonical.split('::')
  const [first, last] = [head, tail].map(part => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - first!.length - last!.length }, () => '0')
  return `${[...first!, ...zeros, ...last!].slice(0, 4).join(':')}::/64`
}
