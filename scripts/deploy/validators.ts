/** Each file of deploy/ is validated by the program that reads it. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '../../src/kit/server/root.ts'
import { freePort } from '../screens/freePort.ts'
import { adapted, deployFile } from './adapted.ts'
import type { Certificate } from './certificate.ts'
import { type Program, withPrograms } from './packages.ts'

const run = promisify(execFile)
const inEnv = { env: withPrograms }

export type Check = { what: string; needs: Program[]; run: (folder: string, tls: Certificate) => Promise<string> }

/** Our limit; `systemd-analyze` takes it in tenths. */
const mostExposure = 3

/** The units are named after their instances, and this checkout replaces the installed product. */
const systemd: Check = {
  what: 'systemd units',
  needs: ['systemd-analyze', 'curl'],
  run: async folder => {
    const units = (await readdir(deployFile('systemd'))).filter(name => /\.(service|timer)$/.test(name))
    const placed = join(folder, 'systemd')
    await mkdir(placed)
    const exposures: string[] = []
    for (const unit of units) {
      const target = join(placed, unit.replace('@.', '@3001.'))
      const service = unit.endsWith('.service')
      await adapted(`systemd/${unit}`, target, service ? { '/opt/fieldtest/current': projectRoot } : {})
      if (!service) continue
      const { stdout } = await run('systemd-analyze', ['security', '--offline=yes', '--no-pager', target], inEnv)
      const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN)
      if (!(exposure <= mostExposure)) throw new Error(`${unit}: exposure ${exposure}, more than ${mostExposure}`)
      exposures.push(`${unit} ${exposure}`)
    }
    const { stderr } = await run(
      'systemd-analyze',
      ['verify', '--man=no', ...units.map(unit => join(placed, unit.replace('@.', '@3001.')))],
      inEnv,
    )
    if (stderr.includes(placed)) throw new Error(stderr)
    return `exposure: ${exposures.join(', ')}`
  },
}

/** A complete configuration around the part that we ship. */
export const nginxConfig = async (folder: string, tls: Certificate, changes: Record<string, string> = {}) => {
  const part = await adapted('nginx/fieldtest.conf', join(folder, 'fieldtest.conf'), {
    '/etc/letsencrypt/live/fieldtest.example/fullchain.pem': tls.certificate,
    '/etc/letsencrypt/live/fieldtest.example/privkey.pem': tls.key,
    ...changes,
  })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(kind => `${kind}_temp_path ${join(folder, `nginx-${kind}`)};`)
    .join(' ')
  const whole = join(folder, 'nginx.conf')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(
    whole,
    `${user} pid ${join(folder, 'nginx.pid')}; error_log stderr; daemon off; worker_processes 1;
events {} http { access_log off; ${temporary} include ${part}; }`,
  )
  return whole
}

const nginx: Check = {
  what: 'nginx',
  needs: ['nginx', 'openssl'],
  run: async (folder, tls) => {
    // Only root can listen on ports below 1024.
    const changes = { ':80;': `:${await freePort()};`, ':443 ': `:${await freePort()} ` }
    const ports = { 'listen 80;': `listen ${await freePort()};`, 'listen 443 ': `listen ${await freePort()} ` }
    const config = await nginxConfig(folder, tls, { ...ports, ...changes })
    const { stderr } = await run('nginx', ['-t', '-e', 'stderr', '-c', config], inEnv)
    if (/\[(warn|emerg|error)\]/.test(stderr)) throw new Error(stderr)
    return 'nginx -t'
  },
}

/** Caddy keeps certificates in its home folder, which is not ours here. */
export const caddyEnv = (folder: string) => ({ ...withPrograms, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder })

const caddy: Check = {
  what: 'Caddy',
  needs: ['caddy'],
  run: async folder => {
    const config = ['--adapter', 'caddyfile', '--config', deployFile('caddy/Caddyfile')]
    const { stderr } = await run('caddy', ['validate', ...config], { env: caddyEnv(folder) })
    const warning = /"level":"warn".*"msg":"Caddyfile input is not formatted/.exec(stderr)
    if (warning) throw new Error(warning[0])
    return 'caddy validate'
  },
}

const haproxy: Check = {
  what: 'HAProxy',
  needs: ['haproxy', 'openssl'],
  run: async (folder, tls) => {
    const servers = await adapted('haproxy/servers.cfg', join(folder, 'servers.cfg'), {
      '/etc/haproxy/certs/fieldtest.pem': tls.both,
    })
    const postgresql = deployFile('haproxy/postgresql.cfg')
    // Each file alone, and both on one machine.
    for (const files of [[postgresql], [servers], [postgresql, servers]]) {
      const { stdout, stderr } = await run('haproxy', ['-c', ...files.flatMap(file => ['-f', file])], inEnv)
      if (/\[(WARNING|ALERT)\]/.test(stdout + stderr)) throw new Error(stderr)
    }
    return 'haproxy -c, each alone and both together'
  },
}

const patroni: Check = {
  what: 'Patroni',
  needs: ['patroni', '/usr/lib/postgresql/15/bin/postgres'],
  run: async folder => {
    const [rest, port] = [await freePort(), await freePort()]
    const env = await adapted('patroni/patroni_env.conf', join(folder, 'patroni_env.conf'), {
      // A node refuses 127.0.0.1 as its own address.
      '10.0.0.11,127.0.0.1:5432': `127.0.0.11:${port}`,
      '10.0.0.11:5432': `127.0.0.11:${port}`,
      '10.0.0.11:8008': `127.0.0.11:${rest}`,
      '/var/lib/postgresql/15/fieldtest': join(folder, 'postgresql'),
    })
    const config = deployFile('patroni/config.yml')
    // A shell reads the file as systemd does.
    // It exits with 1 whatever it finds.
    const found = await run(
      'sh',
      ['-c', 'set -a; . "$0"; exec patroni --validate-config "$1"', env, config],
      inEnv,
    ).catch((error: unknown) => error as { stdout: string; stderr: string })
    // It knows only the list for the first start, but Patroni manages ours.
    const said = `${found.stdout}${found.stderr}`
      .split('\n')
      .filter(line => line !== '' && !/^bootstrap\.pg_hba\s/.test(line))
    if (said.length > 0) throw new Error(said.join('\n'))
    return 'patroni --validate-config'
  },
}

export const checks: readonly Check[] = [systemd, nginx, caddy, haproxy, patroni]
