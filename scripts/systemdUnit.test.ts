import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../src/kit/server/root.ts'

const textOf = (path: string) => readFileSync(join(projectRoot, path), 'utf8')

test('systemd starts the server with the flags of npm start', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: { start: string } }
  const [, command] = /^ExecStart=\S+\/node (.*)$/m.exec(textOf('deploy/systemd/fieldtest@.service')) ?? []
  expect(`node ${command}`).toBe(scripts.start)
})
