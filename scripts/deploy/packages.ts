/** What the rehearsals of deploy/ need of Debian: nothing is installed, what is missing is named. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program, and the package that has it. */
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

/** A normal user's PATH has no sbin. */
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

/** The environment in which all of them are found. */
export const withPrograms = { ...process.env, PATH: folders.join(delimiter) }

export const missing = (programs: readonly Program[]): Program[] => programs.filter(program => !isThere(program))

export const sentenceOf = (lacking: readonly Program[]): string => {
  const wanted = [...new Set(lacking.map(program => packages[program]))]
  return `${lacking.join(', ')} missing. On Debian 12: apt-get install --no-install-recommends ${wanted.join(' ')}`
}
