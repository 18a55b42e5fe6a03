/**
 * A server of the same database in a process of its own, for what one process cannot show: two servers, and the log as it is
 * written. It prints `{"port":…}` first and then its log, and ends with its parent.
 */
import { createApp } from '../app/server/app.ts'
import { startBackend } from '../app/server/boot.ts'
import { readEnv } from '../app/server/env.ts'

const env = readEnv(process.env)
const stopBackend = await startBackend(env, env.DATABASE_URL!, {
  onError: (error, where) => process.stdout.write(`${JSON.stringify({ where, error: String(error) })}\n`),
  work: process.env['WORK'] === '1',
})
const app = await createApp(env)
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' && address?.port })}\n`)

process.stdin.resume().once('end', () => {
  void app
    .close()
    .then(stopBackend)
    .then(() => process.exit(0))
})
