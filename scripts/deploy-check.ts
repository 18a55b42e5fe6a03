/**
 * `npm run deploy-check`: each file of deploy/ is validated by the program that reads it; nginx, Caddy and HAProxy are run with
 * two servers behind them. Needs Debian packages and says which; installs nothing, and leaves nothing behind.
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificate } from './deploy/certificate.ts'
import { missing, type Program, sentenceOf } from './deploy/packages.ts'
import { checkProxies } from './deploy/proxies.ts'
import { checks } from './deploy/validators.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

const folder = await mkdtemp(join(tmpdir(), 'fieldtest-deploy-'))
await chmod(folder, 0o755)
const lacking = new Set<Program>(missing(['openssl']))
const stops: (() => Promise<unknown>)[] = []
let failed = 0
const attempt = async (what: string, task: () => Promise<string>) => {
  try {
    say(`${what}: ${await task()}`)
  } catch (error) {
    failed += 1
    say(`${what}: FAILED\n${error instanceof Error ? error.message : String(error)}`)
  }
}
const leave = async () => {
  for (const stop of stops.splice(0).toReversed()) await stop().catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void leave().finally(() => process.exit(130)))

try {
  if (lacking.size === 0) {
    const tls = await makeCertificate(folder)
    for (const check of checks) {
      const without = missing(check.needs)
      for (const program of without) lacking.add(program)
      const own = join(folder, check.what.replaceAll(' ', '-'))
      await mkdir(own)
      if (without.length > 0) say(`${check.what}: not checked`)
      else await attempt(check.what, () => check.run(own, tls))
    }
    await checkProxies({ folder, tls, lacking, attempt, stops })
  }
  if (lacking.size > 0) say(sentenceOf([...lacking]))
} finally {
  await leave()
}
process.exitCode = failed > 0 || lacking.size > 0 ? 1 : 0
