/** Where a request comes from, as sessions show it and as limits count it. */
import { isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** `203.0.113.7:4711` and `[2001:db8::1]:4711`, as some proxies write addresses, and IPv4 inside IPv6. */
const bare = (written: string) =>
  /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(written)?.[1] ??
  /^\[(.+)\](?::\d+)?$/.exec(written)?.[1] ??
  /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(written)?.[1] ??
  written

/** The caller's address. What a header claims and is no address counts as none: the connection's own then stands. */
export const addressOf = ({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string => {
  const claimed = bare(ip)
  return isIP(claimed) ? claimed : bare(socket.remoteAddress ?? '')
}

/** What limits take for one caller: an IPv4 address, or the /64 of an IPv6 one, all of which one customer holds. */
export const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address
  // The URL parser writes every IPv6 address in one form.
  const canonical = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1)
  const [head = '', tail = ''] = canonical.split('::')
  const [first, last] = [head, tail].map(part => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - first!.length - last!.length }, () => '0')
  return `${[...first!, ...zeros, ...last!].slice(0, 4).join(':')}::/64`
}
