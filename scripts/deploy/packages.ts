/** The Debian packages that the rehearsals of deploy/ need: missing ones are named, and nothing is installed. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Each program, and the package that contains it. */
const packages = {
  'systemd-analyze': 'systemd',
  curl: 'curl',
  openssl: 'openssl',
  nginx: 'nginx',
  caddy: 'caddy',
  haproxy: 'haproxy',
  patroni: 'patroni',
  etcd: 'etcd-server',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
} as const
export type Program = keyof typeof packages

/** The PATH of a normal user lacks the sbin folders. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/sbin', '/bin']

const isThere = (program: string) =>
  (program.startsWith('/') ? [program] : folders.map(folder => join(folder, program))).some(path => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** An environment in which all of them are found. */
export const withPrograms = { ...process.env, PATH: folders.join(delimiter) }

export const missing = (programs: readonly Program[]): Program[] => programs.filter(program => !isThere(program))

export const sentenceOf = (lacking: readonly Program[]): string => {
  const wanted = [...new Set(lacking.map(program => packages[program]))]
  return `${lacking.join(', ')} missing. On Debian 12: apt-get install --no-install-recommends ${wanted.join(' ')}`
}
