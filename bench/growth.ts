/**
 * What grows with the tables. Seeds a marketplace of two years, and measures every call of the product on it.
 *
 *     node bench/growth.ts seed --scale 0.1 --database NAME [--url URL | --folder FOLDER]
 *
 * Scale 1 is a million people: 300,000 campaigns, 3.1 M participations, 18.6 M check-ins and 6.5 M transfers, about 13 GB.
 * A seed that was interrupted goes on where it stopped. The database is made if it is missing, on the server of `--url` or
 * DATABASE_URL, or else on an embedded PostgreSQL whose files are in `--folder`.
 */
import { parseArgs } from 'node:util'
import { onDatabase } from './growth/place.ts'
import { runChecks } from '../src/testing/checks.ts'
import { seed } from './growth/seed.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '0.01' },
    database: { type: 'string', default: 'growth' },
    url: { type: 'string' },
    folder: { type: 'string' },
    books: { type: 'boolean', default: false },
  },
})

const say = (line: string) => console.log(line)
const [command] = positionals

if (command === 'seed') {
  const scale = Number(values.scale)
  if (!(scale >= 0.001 && scale <= 2)) throw new Error('--scale must be 0.001 to 2')
  await onDatabase(values, async ({ url, db }) => {
    await seed(url, scale, say)
    if (values.books) {
      const broken = await runChecks(query => db.query(query))
      say(broken.length === 0 ? 'the books are in order' : JSON.stringify(broken.slice(0, 5)).slice(0, 4000))
      if (broken.length > 0) process.exitCode = 1
    }
    say(`the database: ${url}`)
  })
} else {
  throw new Error('node bench/growth.ts seed --scale 0.1 --database NAME')
}
