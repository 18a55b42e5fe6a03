/** Servers in separate processes: server.ts, which also runs jobs with `WORK: 1`, and the product as `npm start` runs it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { projectRoot } from '../kit/server/root.ts'
import type { TestApp } from './app.ts'

/** Arguments for Node to run a module with the compile cache of `npm start`, which halves the time of a start. */
export const moduleAt = (path: string): string[] => [
  '--import',
  join(projectRoot, 'src/app/server/compile-cache.mjs'),
  join(projectRoot, path),
]

/** The arguments of Node that `npm start` uses, for a process whose working directory is the project's. */
export const startFlags = (): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  return scripts.start.split(' ').slice(1, -1)
}

export type OtherServer = {
  url: string
  /** Its log, one JSON line per entry; complete once it has stopped. */
  log: readonly string[]
  stop: () => Promise<void>
  /** Kills it, as the machine's death would: nothing is finished, and nobody is told. */
  kill: () => Promise<void>
}

/**
 * A second server for `t`, with the same database and data folder, which has the encryption key. `env` may override both; `flags`
 * are Node's, and what they print is in the log.
 */
export const startOtherServer = async (
  { databaseUrl, dataDir }: Pick<TestApp, 'databaseUrl' | 'dataDir'>,
  env: Record<string, string>,
  flags: readonly string[] = [],
): Promise<OtherServer> => {
  const child = spawn(process.execPath, [...flags, ...moduleAt('src/testing/server.ts')], {
    env: { PATH: process.env['PATH'], RATE_LIMIT: 'off', DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...env },
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

export type Product = {
  address: URL
  /** Stops it as a deployment does; resolves with its exit code once it has drained. */
  terminate: () => Promise<number | null>
  kill: () => Promise<void>
}

export const startProduct = async (env: Record<string, string>): Promise<Product> => {
  const child = spawn(process.execPath, moduleAt('src/app/server/main.ts'), {
    env: { PATH: process.env['PATH'], PORT: '0', RATE_LIMIT: 'off', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  let printed = ''
  const address = await new Promise<URL>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`the product ended with ${code}: ${printed}`)))
    child.stdout.on('data', chunk => {
      printed += String(chunk)
      const ready = /Fieldtest is ready: (\S+)/.exec(printed)?.[1]
      if (ready !== undefined) resolve(new URL(ready.replace('localhost', '127.0.0.1')))
    })
  })
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return (await ended)[0]
  }
  return { address, terminate: () => end('SIGTERM'), kill: async () => void (await end('SIGKILL')) }
}
