/** The real application: everything that `npm start` runs except the page. Started by bench/place.ts. */
import { flushCompileCache } from 'node:module'
import { createApp } from '../src/app/server/app.ts'
import { startBackend } from '../src/app/server/boot.ts'
import { readEnv } from '../src/app/server/env.ts'
import { giveBackMemory } from '../src/kit/server/memory.ts'

const env = readEnv(process.env)
await startBackend(env, env.DATABASE_URL!, {
  onError: error => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  },
})
const app = await createApp(env)
giveBackMemory()
process.send!(await app.listen({ port: 0, host: '127.0.0.1' }))
// This process will be killed, and then the next start would find no compiled code. `npm start` does find it from the second start
// on.
flushCompileCache()
