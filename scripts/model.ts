/**
 * `npm run model -- [--actions N] [--seed N]`: plays histories of interleaved actions on money against the model
 * (src/testing/model), with a simulation of 1,000 actions for each seed from the first on, and prints how many there were. A
 * history that goes wrong is shortened and printed with its seed. Starts a PostgreSQL of its own.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../src/kit/postgres/embedded.ts'
import { cloneTemplate, dropDatabase, makeTemplate } from '../src/testing/databases.ts'
import { playAll } from '../src/testing/model/histories.ts'
import { migrateAndMakeQueues } from '../src/testing/template.ts'
import { optionsOf, positiveCountOf } from './options.ts'

const { values } = optionsOf({ options: { actions: { type: 'string' }, seed: { type: 'string' } } })

const actions = positiveCountOf(values.actions ?? '10000', 'actions')
const seed = positiveCountOf(values.seed ?? '1', 'seed')

const shortenWithinMs = 60_000
const count = (value: number) => value.toLocaleString('en-US')

const dataDir = await mkdtemp(join(tmpdir(), 'fieldtest-model-'))
const postgres = await startPostgres({ dataDir, durable: false })
const server = postgres.connectionString
let last: string | undefined
/** There are many simulations, so each database replaces the one before. */
const newDatabase = async () => {
  if (last !== undefined) await dropDatabase(server, last)
  last = await cloneTemplate(server)
  return last
}
try {
  await makeTemplate(server, migrateAndMakeQueues)
  const begun = performance.now()
  const perSecond = (done: number) => Math.round((done / (performance.now() - begun)) * 1000)
  const totals = await playAll({
    newDatabase,
    seed,
    actions,
    shortenWithinMs,
    onSimulation: ({ simulations, actions: done, hashes }) => {
      console.log(
        `seed ${seed + simulations - 1}: ${hashes.at(-1)!.slice(0, 16)}, ${count(done)} actions, ${perSecond(done)}/s`,
      )
    },
  })
  const succeeded = [...totals.successes]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name} ${count(times)}`)
  console.log(`\nSucceeded: ${succeeded.join(', ')}`)
  console.log(
    `${count(totals.actions)} actions in ${count(totals.turns)} turns, seeds ${seed} to ${seed + totals.simulations - 1}, ` +
      `all checks ${count(totals.checksRun)} times, ${perSecond(totals.actions)} actions per second: 0 violations`,
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
