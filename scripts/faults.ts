/**
 * `npm run faults`: 32 clients move money on two servers with a PostgreSQL of their own, while servers and PostgreSQL are killed
 * (kill -9) and connections are cut; once with the sandbox, and once with a fake Stripe behind a line that loses requests and
 * answers. Afterwards everything acknowledged has to be there once, nothing may be half done, nobody may be paid twice, and our
 * books have to match the provider's own. Exits with 1 if something is wrong.
 *
 *     npm run faults -- [--provider sandbox|stripe] [--minutes 5] [--kills 20] [--postgres-kills 5] [--cuts 20] [--clients 32] [--seed 1]
 */
import { buildPageIfStale } from '../src/app/server/page.ts'
import { type Found, providers, run } from './faults/run.ts'
import { countOf, optionsOf, positiveCountOf, refuse } from './options.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
const { values } = optionsOf({
  options: {
    provider: { type: 'string' },
    minutes: { type: 'string', default: '5' },
    kills: { type: 'string', default: '20' },
    'postgres-kills': { type: 'string', default: '5' },
    cuts: { type: 'string', default: '20' },
    clients: { type: 'string', default: '32' },
    seed: { type: 'string', default: '1' },
  },
})
const wanted = providers.filter(name => values.provider === undefined || values.provider === name)
if (wanted.length === 0) refuse(`--provider must be one of ${providers.join(', ')}.`)

const load = {
  seconds: positiveCountOf(values.minutes, 'minutes') * 60,
  kills: countOf(values.kills, 'kills'),
  postgresKills: countOf(values['postgres-kills'], 'postgres-kills'),
  cuts: countOf(values.cuts, 'cuts'),
  clients: positiveCountOf(values.clients, 'clients'),
  seed: positiveCountOf(values.seed, 'seed'),
}

const secondsOf = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const listed = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

const tell = ({ acknowledged, byKind, retried, refused, faults, lost, recoveriesMs, seconds, violations }: Found) => {
  const sorted = recoveriesMs.toSorted((a, b) => a - b)
  say(`\nacknowledged moves   ${acknowledged} (${listed(byKind)})`)
  say(`of them sent again   ${retried}`)
  say(`refused by a rule    ${Object.values(refused).reduce((sum, times) => sum + times, 0)} (${listed(refused)})`)
  say(
    `faults               ${faults.kills} servers killed, PostgreSQL killed ${faults.postgresKills} times, ${faults.cuts} cuts`,
  )
  if (Object.keys(lost).length > 0) say(`before the provider  ${listed(lost)}`)
  say(
    `recovery             median ${secondsOf(sorted[Math.trunc(sorted.length / 2)] ?? 0)}, at most ${secondsOf(sorted.at(-1) ?? 0)}`,
  )
  say(`throughput           ${(acknowledged / seconds).toFixed(0)} moves a second, faults included`)
  say(`violations           ${violations.length}`)
  for (const violation of violations.slice(0, 20)) say(`  ${violation.slice(0, 400)}`)
}

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interrupted.abort())

await buildPageIfStale(say)
let violations = 0
for (const provider of wanted) {
  say(`\nWith ${provider}`)
  const found = await run({ provider, ...load }, say, interrupted.signal)
  tell(found)
  violations += found.violations.length
}
process.exit(violations > 0 ? 1 : 0)
