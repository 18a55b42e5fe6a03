/** A server without the test clock never moves its clock, whatever was started before it in the same process. */
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { signalChannels } from '../../kit/server/signals.ts'
import { cloneTemplate, productUrlOf } from '../../testing/databases.ts'
import { startBackend } from './boot.ts'
import { readEnv } from './env.ts'

test('a server that has stopped does not follow the test clock of others any more', async () => {
  const ownerUrl = await cloneTemplate(inject('serverUrl'))
  const dataDir = join(inject('scratch'), `test-clock-${randomUUID()}`)
  const follows = async (env: Record<string, string>) => {
    const settings = readEnv({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...env })
    const stop = await startBackend(settings, productUrlOf(ownerUrl), {
      ownerUrl,
      onError: error => expect.unreachable(String(error)),
      work: false,
    })
    const whileItRuns = signalChannels().includes('test_clock')
    await stop()
    return [whileItRuns, signalChannels().includes('test_clock')]
  }
  expect(await follows({ FIELDTEST_TEST_CLOCK: '1' })).toEqual([true, false])
  expect(await follows({})).toEqual([false, false])
})
