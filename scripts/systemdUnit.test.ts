import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../src/kit/server/root.ts'

const textOf = (path: string) => readFileSync(join(projectRoot, path), 'utf8')

test('systemd starts the server with the same flags as npm start', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: { start: string } }
  const [, command] = /^ExecStart=\S+\/node (.*)$/m.exec(textOf('deploy/systemd/fieldtest@.service')) ?? []
  expect(`node ${command}`).toBe(scripts.start)
})

test('a shell reads the same values from the example environment as systemd, even if they are commented out', () => {
  const path = join(projectRoot, 'deploy/systemd/fieldtest.env')
  const lines = textOf('deploy/systemd/fieldtest.env').split('\n')
  const settings = lines.flatMap(line => {
    if (line === '' || line.startsWith('# ')) return []
    // Within single quotes no character is special, neither to systemd nor to a shell.
    const [, name, value] = /^#?([A-Z_]+)='([^']*)'$/.exec(line) ?? []
    return [[line, name, value]]
  })
  expect(settings.filter(([, name]) => name === undefined)).toEqual([])
  const sourced = execFileSync('sh', ['-euc', `set -a; . '${path}'; set +a; env`], { env: {}, encoding: 'utf8' })
  const seen = sourced.split('\n')
  for (const [line, name, value] of settings) if (!line!.startsWith('#')) expect(seen).toContain(`${name}=${value}`)
})
