/** Where the server is found: what it prints, and who it is to passkeys. */
import { isIPv6 } from 'node:net'
import type { Env } from './env.ts'

/** Loopback addresses, and those of zeros only, which stand for every address of the machine. */
const isHere = (host: string) => ['127.0.0.1', '::1'].includes(host) || /^[0:.]+$/.test(host)

const nameOf = (host: string) => {
  // Passkeys refuse numbers.
  if (isHere(host)) return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}

export const addressOf = ({ PUBLIC_URL, HOST }: Pick<Env, 'PUBLIC_URL' | 'HOST'>, port: number): string =>
  PUBLIC_URL ?? `http://${nameOf(HOST)}:${port}`
