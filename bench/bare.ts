/**
 * The baseline: node:http, the same SQL on a pool of the same size, JSON.stringify, and nothing else. Started by bench/place.ts,
 * which passes a statement for each path; `$id` is the last segment of the path.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import pg from 'pg'

export type Statement = { text: string; values: unknown[] }

const [statements] = (await once(process, 'message')) as [Record<string, Statement[]>]
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })

const answer = async (address: string) => {
  const slash = address.indexOf('/', 1)
  const [path, id] = slash < 0 ? [address, ''] : [address.slice(0, slash), address.slice(slash + 1)]
  let rows: unknown[] = []
  for (const [place, { text, values }] of statements[path]!.entries()) {
    const given = values.map(value => (value === '$id' ? id : value))
    const result = await pool.query({ name: `${path}${place}`, text, values: given })
    rows = result.rows
  }
  return JSON.stringify(rows)
}

const server = createServer((request, response) => {
  answer(request.url!).then(
    body => response.setHeader('content-type', 'application/json').end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) process.send!(`http://127.0.0.1:${address.port}`)
})
