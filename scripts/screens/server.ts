/** The product as `npm start` runs it, in a separate process on an existing database: for journeys and screenshots. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const main = join(import.meta.dirname, '../../src/app/server/main.ts')

export type RunningServer = { address: string; stop: () => Promise<void> }

const addressOf = (server: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let printed = ''
    server.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const ready = /Fieldtest is ready: (\S+)/.exec(printed)
      if (ready?.[1]) resolve(ready[1])
    })
    server.once('exit', code => reject(new Error(`The server ended with ${code} before it was ready:\n${printed}`)))
  })

/** Uses a free port and no rate limits; `env` is added. */
export const startServer = async (
  dataDir: string,
  databaseUrl: string,
  env: Record<string, string>,
): Promise<RunningServer> => {
  const server = spawn(process.execPath, [main], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, DATABASE_URL: databaseUrl, RATE_LIMIT: 'off', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return {
    address: await addressOf(server),
    stop: async () => {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
    },
  }
}
