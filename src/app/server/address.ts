/** The server's address, which it prints and which passkeys are tied to. */
import { isIPv6 } from 'node:net'
import type { Env } from './env.ts'

/** Loopback addresses, and all-zero ones, which stand for every address of the machine. */
const isHere = (host: string) => ['127.0.0.1', '::1'].includes(host) || /^[0:.]+$/.test(host)

const nameOf = (host: string) => {
  // Passkeys do not work with IP addresses.
  if (isHere(host)) return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}

export const addressOf = ({ PUBLIC_URL, HOST }: Pick<Env, 'PUBLIC_URL' | 'HOST'>, port: number): string =>
  PUBLIC_URL ?? `http://${nameOf(HOST)}:${port}`
