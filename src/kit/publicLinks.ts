/**
 * What is wrong with a link that strangers are sent to, judged by its text alone: nothing is looked up, so a check neither waits
 * for a name server nor reveals itself. URL has already normalized the host: `2130706433`, `0x7f.1` and `127.0.0.1.` are all
 * `127.0.0.1`.
 */
type Four = readonly [number, number, number, number]

/** Loopback, private, link-local and other networks that are not the internet (RFC 6890), as first address and prefix. */
const closedNetworks: readonly [Four, prefix: number][] = [
  [[0, 0, 0, 0], 8],
  [[10, 0, 0, 0], 8],
  [[100, 64, 0, 0], 10],
  [[127, 0, 0, 0], 8],
  [[169, 254, 0, 0], 16],
  [[172, 16, 0, 0], 12],
  [[192, 0, 0, 0], 24],
  [[192, 168, 0, 0], 16],
  [[198, 18, 0, 0], 15],
  // Multicast, reserved and broadcast.
  [[224, 0, 0, 0], 3],
]

/** Names that only a local network or the machine itself resolves (RFC 6761, RFC 6762, ICANN's .internal). */
const closedNames = ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'lan', 'home.arpa']

const numberOf = ([a, b, c, d]: Four) => ((a << 24) | (b << 16) | (c << 8) | d) >>> 0

const isClosedIpv4 = (address: Four) =>
  closedNetworks.some(([first, prefix]) => (numberOf(address) ^ numberOf(first)) >>> (32 - prefix) === 0)

const ipv4Of = (host: string): Four | null =>
  /^\d+\.\d+\.\d+\.\d+$/.test(host) ? (host.split('.').map(Number) as unknown as Four) : null

const read = (part: string) => (part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16)))

/** The eight groups of an IPv6 address as URL writes it, in which `::` stands for the missing ones. */
const groupsOf = (address: string): number[] => {
  const [head = '', tail] = address.split('::')
  if (tail === undefined) return read(head)
  const missing = 8 - read(head).length - read(tail).length
  return [...read(head), ...Array.from({ length: missing }, () => 0), ...read(tail)]
}

const fourIn = (high: number, low: number): Four => [high >> 8, high & 255, low >> 8, low & 255]

const isClosedIpv6 = (address: string) => {
  const groups = groupsOf(address)
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0, high = 0, low = 0] = groups
  const firstFive = [first, second, third, fourth, fifth].every(group => group === 0)
  // ::, ::1 and the other IPv4-compatible ones; ::ffff:0:0/96 carries an IPv4 address.
  if (firstFive && sixth === 0) return true
  if (firstFive && sixth === 0xffff) return isClosedIpv4(fourIn(high, low))
  // NAT64 (64:ff9b::/96; 64:ff9b:1::/48 is for local use) and 6to4 (2002::/16) carry an IPv4 address, too.
  if (first === 0x64 && second === 0xff9b) return third !== 0 || isClosedIpv4(fourIn(high, low))
  if (first === 0x2002) return isClosedIpv4(fourIn(second, third))
  // Only 2000::/3 is the internet: not fc00::/7 (private), fe80::/10 (link-local), ff00::/8 (multicast).
  return first >> 13 !== 1
}

const isClosedHost = (hostname: string) => {
  if (hostname.startsWith('[')) return isClosedIpv6(hostname.slice(1, -1))
  const name = hostname.replace(/\.+$/, '')
  const four = ipv4Of(name)
  if (four) return isClosedIpv4(four)
  // A name without a dot is known only in a local network.
  return !name.includes('.') || closedNames.some(closed => name === closed || name.endsWith(`.${closed}`))
}

export type LinkProblem = 'NAMES_A_USER' | 'NOT_PUBLIC'

/** Null for a public link; `link` is one that a browser may open (links.ts). */
export const problemOf = (link: string): LinkProblem | null => {
  const { username, password, hostname } = new URL(link)
  if (username !== '' || password !== '') return 'NAMES_A_USER'
  return isClosedHost(hostname) ? 'NOT_PUBLIC' : null
}
