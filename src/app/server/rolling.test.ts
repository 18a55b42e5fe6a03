/**
 * Two servers are replaced one after the other while callers, a stream and a slow request keep them busy, and while the schema
 * becomes that of the next release: no request fails (decision 047).
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Session } from '../../accounts/contract.ts'
import { migrate, migrationFolder } from '../../kit/server/migrate.ts'
import { bodiesOf, newestOf, readMigrations } from '../../kit/server/migrationFiles.ts'
import { type Balancer, startBalancer } from '../../testing/balancer.ts'
import { cloneTemplate } from '../../testing/databases.ts'
import { connectBeside } from '../../testing/observed.ts'
import { type Product, startProduct } from '../../testing/processes.ts'
import { openStream } from '../../testing/streams.ts'

const folders: string[] = []
const running: Product[] = []
let balancer: Balancer
let databaseUrl: string

const folder = async () => {
  const made = await mkdtemp(join(tmpdir(), 'fieldtest-rolling-'))
  folders.push(made)
  return made
}
const secret = 'one secret that all of the servers know'
const start = async () => {
  const env = { DATABASE_URL: databaseUrl, JWT_SECRET: secret, DATA_DIR: folders[0]!, DRAIN_SECONDS: '3' }
  const server = await startProduct({ ...env, LOG_LEVEL: 'error' })
  running.push(server)
  await balancer.add(server.address)
  return server
}
beforeAll(async () => {
  databaseUrl = await cloneTemplate(inject('serverUrl'))
  balancer = await startBalancer()
  await folder()
  // One after the other, because the first one writes the keys into DATA_DIR.
  await start()
  await start()
})
afterAll(async () => {
  await balancer.stop()
  await Promise.all(running.map(server => server.kill()))
  for (const made of folders) await rm(made, { recursive: true, force: true })
})

/** The migrations of the next release: a column, filled in batches, an index and a new body of a function. */
const nextRelease = async (): Promise<string> => {
  const next = await folder()
  await cp(migrationFolder, next, { recursive: true })
  const { migrations, functions, release } = await readMigrations(next)
  const number = (more: number) => String(newestOf(migrations) + more).padStart(3, '0')
  await writeFile(join(next, `${number(1)}-alias.sql`), 'alter table users add column alias text;')
  await writeFile(
    join(next, `${number(2)}-fill.sql`),
    `-- no transaction
update users set alias = name where id in (select id from users where alias is null limit 2);
create index concurrently if not exists users_by_alias on users (alias);\n`,
  )
  const last = { release: release + 1, newest: newestOf(migrations) + 2, bodies: bodiesOf(functions), functions: {} }
  await writeFile(join(next, 'release.json'), JSON.stringify(last))
  return next
}

type Call = { method?: string; body?: unknown; token?: string; key?: string }
const answers: { what: string; status: number }[] = []
const failed = () => answers.filter(({ status }) => status < 200 || status >= 300)
/** Status `0` is a broken connection. */
const call = async (path: string, { method = 'GET', body, token, key }: Call = {}) => {
  const reply = await fetch(balancer.url + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => undefined)
  const text = await reply?.text().catch(() => undefined)
  answers.push({ what: `${method} ${path}`, status: text === undefined ? 0 : reply!.status })
  return text ?? ''
}
const api = (path: string, options: Call) => call(`/api/v1${path}`, options)

const registered = async (name: string, role: string) => {
  const body = { email: `${name}@example.test`, password: 'correct horse', name, role }
  return JSON.parse(await api('/auth/register', { method: 'POST', body })) as Session
}

test('no request fails while both servers are replaced and the schema becomes the next release’s', async () => {
  const [ann, ben] = [await registered('ann', 'TESTER'), await registered('ben', 'DEVELOPER')]
  // Signing in often ends the oldest sessions, which would sign Ann and Ben out; so a third user does it.
  const cat = await registered('cat', 'TESTER')
  const end = new AbortController()
  const over = end.signal
  const caller = async (number: number) => {
    for (let round = 0; !over.aborted; round++) {
      const name = `Ann ${number} ${round}`
      await api('/users/me', { token: ann.accessToken })
      await api('/users/me', { method: 'PATCH', token: ann.accessToken, body: { name }, key: `${name} again` })
      await call('/login')
      await api('/campaigns', { token: ben.accessToken })
      if (round % 10 === 0)
        await api('/auth/login', { method: 'POST', body: { email: cat.user.email, password: 'correct horse' } })
    }
  }
  let streams = 0
  /** Opens a new stream whenever one ends, as a page does. */
  const listener = async () => {
    let lastEventId: string | undefined
    while (!over.aborted) {
      const stream = await openStream(balancer.url, ben.accessToken, {
        ...(lastEventId !== undefined && { lastEventId }),
      })
      answers.push({ what: 'stream', status: stream.status })
      streams += 1
      for (let event = await stream.next(); event; event = await stream.next()) {
        lastEventId = event.id
        if (over.aborted) stream.cut()
      }
    }
  }
  const callers = [0, 1, 2, 3].map(caller)
  void listener().catch(() => undefined)

  const beside = await connectBeside({ databaseUrl })
  /** This request is under way when its server stops taking connections. */
  const slowly = async (old: Product) => {
    await beside.query('begin')
    await beside.query('select from users where id = $1 for update', [ben.user.id])
    const slow = api('/users/me', { method: 'PATCH', token: ben.accessToken, body: { name: 'Ben, at last' } })
    const ending = old.terminate()
    const ready = () =>
      fetch(new URL('/health/ready', old.address)).then(
        reply => reply.ok,
        () => false,
      )
    await expect.poll(ready, { timeout: 20_000, interval: 20 }).toBe(false)
    await beside.query('commit')
    await slow
    return ending
  }

  expect(await migrate(databaseUrl, { folder: await nextRelease() })).toHaveLength(2)
  const codes: (number | null)[] = []
  for (const old of running.slice()) {
    await start()
    codes.push(await slowly(old))
    balancer.remove(old.address)
  }
  end.abort()
  await Promise.all(callers)
  await beside.end()
  expect(codes).toEqual([0, 0])
  expect(failed()).toEqual([])
  expect(streams).toBeGreaterThan(1)
  expect(answers.length).toBeGreaterThan(50)
}, 180_000)
