/**
 * Shows what grows with the tables: seeds a marketplace of two years, and measures every call of the product on it.
 *
 *     node bench/growth.ts seed --scale 0.1 --database NAME [--books] [--url URL | --folder FOLDER]
 *     node bench/growth.ts run --small NAME --big NAME [--only CALL] [--json FILE] [--check]
 *
 * Scale 1 is a million people: 300,000 campaigns, 3.2 M participations, 18.9 M check-ins and 7.9 M transfers, 14 GB.
 * An interrupted seed continues where it stopped. A missing database is created, on the server of `--url` or DATABASE_URL, or else
 * on an embedded PostgreSQL whose files are in `--folder`. `--books` runs the checks of the data.
 *
 * A run calls every read and every write on both databases. It prints the cost of each, how the cost grows, and each plan that
 * reads much of a large table. With `--check` it fails if a target is missed. It needs the superuser of the embedded PostgreSQL.
 */
import { writeFile } from 'node:fs/promises'
import { runChecks } from '../src/testing/checks.ts'
import { onDatabases } from './growth/place.ts'
import { tableOf, wholeReadsOf } from './growth/print.ts'
import { run } from './growth/run.ts'
import { seed } from './growth/seed.ts'
import { optionsOf, refuse } from '../scripts/options.ts'

const { values, positionals } = optionsOf({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '0.01' },
    database: { type: 'string', default: 'growth' },
    url: { type: 'string' },
    folder: { type: 'string' },
    books: { type: 'boolean', default: false },
    small: { type: 'string', default: 'small' },
    big: { type: 'string', default: 'big' },
    only: { type: 'string' },
    json: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
})

const say = (line: string) => console.log(line)
const [command] = positionals

const commands: Record<string, () => Promise<void>> = {
  seed: async () => {
    const scale = Number(values.scale)
    if (!(scale >= 0.001 && scale <= 2)) refuse('--scale must be a number from 0.001 to 2.')
    await onDatabases(values, [values.database], async ([place]) => {
      await seed(place!.url, scale, say)
      if (values.books) {
        const broken = await runChecks(query => place!.db.query(query))
        say(broken.length === 0 ? 'the books are in order' : JSON.stringify(broken.slice(0, 5)).slice(0, 4000))
        if (broken.length > 0) process.exitCode = 1
      }
      say(`the database: ${place!.url}`)
    })
  },
  run: async () => {
    await onDatabases(values, [values.small, values.big], async ([small, big]) => {
      const compared = await run(small!, big!, values.only, say)
      if (values.json) await writeFile(values.json, JSON.stringify(compared, null, 1))
      for (const line of tableOf(compared)) say(line)
      say('')
      for (const line of wholeReadsOf(compared)) say(line)
      const missed = compared.filter(({ misses }) => misses.length > 0).length
      say(`${compared.length} calls, ${missed} of them miss a target`)
      if (values.check && missed > 0) process.exitCode = 1
    })
  },
}

const work = commands[command ?? '']
if (!work) throw new Error('node bench/growth.ts seed --scale 0.1 --database NAME, or run --small NAME --big NAME')
await work()
