/** Starts server.ts as another process; with `WORK: 1` it also runs jobs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { projectRoot } from '../kit/server/root.ts'

export type OtherServer = {
  url: string
  /** What it has logged, one JSON line each; complete once it has stopped. */
  log: readonly string[]
  stop: () => Promise<void>
  /** As the machine's death would: nothing is finished, nothing is told. */
  kill: () => Promise<void>
}

export const startOtherServer = async (env: Record<string, string>): Promise<OtherServer> => {
  const child = spawn(process.execPath, [join(projectRoot, 'src/testing/server.ts')], {
    env: { PATH: process.env['PATH'], RATE_LIMIT: 'off', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const log: string[] = []
  const port = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', code => reject(new Error(`the other server ended with ${code}: ${log.join('\n')}`)))
    createInterface({ input: child.stdout }).on('line', line => {
      const first = /^\{"port":(\d+)\}$/.exec(line)
      if (first) resolve(Number(first[1]))
      else log.push(line)
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    stop: async () => {
      child.stdin.end()
      await ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
