/**
 * A busy server is killed at a random moment. Its backups alone restore a moment of its work (how recent depends on how busy the
 * machine is); together with what is still on the disk, any second. The books balance, and nothing is paid twice.
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Session } from '../../accounts/contract.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import { startPostgres } from '../../kit/postgres/embedded.ts'
import type { Withdrawal } from '../../ledger/contract.ts'
import { brokenIn } from '../../operations/server/checkFiles.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import { campaignInput, device, proof } from '../../testing/app.ts'
import { type Installation, runScript, startInstallation } from '../../testing/installation.ts'

const key = randomBytes(32).toString('base64')
const admin = { email: 'boss@example.test', password: 'correct horse battery staple' }
let root = ''
let server: Installation | undefined
const at = (name: string) => join(root, name)

/** Started anew for each try, because the try before killed its server. */
const begin = async () => {
  root = await mkdtemp(join(tmpdir(), 'fieldtest-rehearsal-'))
  onTestFinished(async () => {
    await server?.kill()
    await rm(root, { recursive: true, force: true })
  })
  server = await startInstallation({
    DATA_DIR: at('data'),
    BACKUP_TO: at('backups'),
    BACKUP_KEY: key,
    FIELDTEST_TEST_CLOCK: '1',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  })
}

type Caller = <T>(method: string, path: string, body?: object) => Promise<T>

const callerWith =
  (token?: string): Caller =>
  async <T>(method: string, path: string, body?: object) => {
    const reply = await fetch(`${server!.address}/api/v1${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

const signUp = async (role: string) => {
  const person = { email: `${randomUUID()}@example.test`, password: 'correct horse battery', name: role, role }
  await callerWith()('POST', '/auth/register', person)
  return person
}
const signIn = async ({ email, password }: { email: string; password: string }) =>
  callerWith((await callerWith()<Session>('POST', '/auth/login', { email, password })).accessToken)

/** A developer, and a tester who has earned $1,000. */
const prepare = async () => {
  const [owner, tester] = [await signUp('DEVELOPER'), await signUp('TESTER')]
  const [boss, developer, person] = [await signIn(admin), await signIn(owner), await signIn(tester)]
  const terms = { ...campaignInput, testersRequired: 1, payPerTesterCents: 100_000, durationDays: 1 }
  const draft = await developer<Campaign>('POST', '/campaigns', terms)
  await developer('POST', `/campaigns/${draft.id}/fund`, { amountCents: draft.totalCostCents })
  await boss('POST', `/admin/campaigns/${draft.id}/approve`)
  await developer('POST', `/campaigns/${draft.id}/start`)
  const consent = { deviceInfo: device, playEmail: 'play@gmail.com', consent: true }
  const { id } = await person<CampaignTester>('POST', `/testers/campaigns/${draft.id}/join`, consent)
  await person('POST', `/testers/campaign-testers/${id}/check-ins`, {})
  await callerWith()('POST', '/test-clock', { advanceHours: 25 })
  await (
    await signIn(tester)
  )('POST', `/testers/campaign-testers/${id}/proof`, { proof })
  await (
    await signIn(owner)
  )('POST', `/campaign-testers/${id}/verify`)
  return { owner, tester }
}

type Done = { kind: 'campaign' | 'withdrawal'; id: string; sentMs: number; answeredMs: number }

/** Funds campaigns and withdraws pay, one after the other, until the server is gone. Returns what was acknowledged. */
const work = (owner: Caller, tester: Caller): { done: Done[]; ended: Promise<unknown> } => {
  const done: Done[] = []
  const forever = async (kind: Done['kind'], act: () => Promise<string>) => {
    for (;;) {
      const sentMs = Date.now()
      const id = await act()
      done.push({ kind, id, sentMs, answeredMs: Date.now() })
    }
  }
  const fund = async () => {
    const draft = await owner<Campaign>('POST', '/campaigns', campaignInput)
    await owner('POST', `/campaigns/${draft.id}/fund`, { amountCents: draft.totalCostCents })
    return draft.id
  }
  const withdraw = async () => {
    await pause(100)
    return (await tester<Withdrawal>('POST', '/testers/withdraw', { amountCents: 1000 })).id
  }
  return { done, ended: Promise.allSettled([forever('campaign', fund), forever('withdrawal', withdraw)]) }
}

const baseIsThere = async () =>
  (await readdir(at('backups/bases'), { recursive: true }).catch(() => [])).some(name => name.endsWith('manifest'))

/** When the backup last recorded how far everything was sent. */
const lastMarkMs = async () => {
  const [mark] = (await readdir(at('backups/log'), { recursive: true })).filter(name => basename(name) === 'until')
  return mark === undefined ? 0 : (await stat(at(`backups/log/${mark}`))).mtimeMs
}

/** The second mark from now on is about a moment after the first one, so it covers everything until now. */
const workHasLeft = async () => {
  const marks = new Set([await lastMarkMs()])
  const seen = async () => marks.add(await lastMarkMs()).size
  await expect.poll(seen, { timeout: 60_000 }).toBeGreaterThan(2)
}

const restored = async (name: string, more: string[] = []) => {
  const args = ['--from', at('backups'), '--to', at(name), ...more]
  const { code, said } = await runScript('restore', args, { BACKUP_KEY: key })
  expect(said).toContain('Its jobs are paused')
  expect(code).toBe(0)
  return said
}

/** What a restored data folder contains. */
const lookInto = async (name: string) => {
  const postgres = await startPostgres({ dataDir: at(name) })
  const client = new pg.Client({ connectionString: postgres.connectionString })
  try {
    await client.connect()
    const idsOf = async (query: string) => new Set((await client.query<{ id: string }>(query)).rows.map(({ id }) => id))
    return {
      known: await idsOf(`select id from campaigns where funded_cents > 0 union all select id from withdrawals`),
      paused: (await client.query(`select reason from job_pauses where resumed_at is null`)).rows,
      broken: await brokenIn(postgres.connectionString),
    }
  } finally {
    await client.end()
    await postgres.stop()
  }
}

test('killed at a random moment, restored to one second before', { timeout: 400_000 }, async () => {
  await begin()
  const people = await prepare()
  await expect.poll(baseIsThere, { timeout: 60_000 }).toBe(true)
  const workers = [await signIn(people.owner), await signIn(people.tester)] as const
  const begunMs = Date.now()
  const { done, ended } = work(...workers)
  await workHasLeft()
  await pause(randomInt(3_000))
  const killedMs = Date.now()
  await server!.kill()
  await ended
  expect(done.length).toBeGreaterThan(5)

  // The machine is lost, so only what was sent is left.
  const [, until = ''] = / to (\S+Z)\./.exec(await restored('from-elsewhere')) ?? []
  const untilMs = Date.parse(until)
  expect(untilMs).toBeGreaterThan(begunMs)
  const elsewhere = await lookInto('from-elsewhere')
  expect(elsewhere).toMatchObject({ broken: [], paused: [{ reason: 'RESTORED' }] })
  expect(done.filter(({ id, answeredMs }) => answeredMs < untilMs && !elsewhere.known.has(id))).toEqual([])

  // The disk is there, so what was not sent yet is sent now, and any second can be restored.
  const shipped = await runScript('backup', ['--to', at('backups')], { BACKUP_KEY: key, DATA_DIR: at('data') })
  expect(shipped).toMatchObject({ code: 0, said: expect.stringContaining('written to') as string })
  const secondBefore = killedMs - 1_000
  const file = at(`data/${(await readdir(at('data'))).find(name => /^sandbox-.*\.jsonl$/.test(name))}`)
  const moment = new Date(secondBefore).toISOString()
  await restored('second-before', ['--at', moment, '--provider-file', file, '--keys', at('data')])
  const before = await lookInto('second-before')
  expect(before).toMatchObject({ broken: [], paused: [{ reason: 'RESTORED' }] })
  expect(done.filter(({ id, answeredMs }) => answeredMs <= secondBefore && !before.known.has(id))).toEqual([])
  expect(done.filter(({ id, sentMs }) => sentMs > secondBefore && before.known.has(id))).toEqual([])

  // What the provider had paid by then is not paid again when the jobs resume.
  const env = { DATA_DIR: at('second-before') }
  const reconciled = await runScript('reconcile', [], env)
  expect([0, 2]).toContain(reconciled.code)
  expect(await runScript('resume', [], env)).toMatchObject({ code: 0 })
  server = await startInstallation({ ...env, FIELDTEST_TEST_CLOCK: '1' })
  await callerWith()('POST', '/test-clock', { advanceHours: 1 })
  await server.stop()
  const payouts = (await readFile(file, 'utf8')).split('\n').filter(line => line.includes('"PAYOUT"'))
  const paid = payouts.map(line => (JSON.parse(line) as { id: string }).id)
  expect(paid.length).toBeGreaterThan(0)
  expect(new Set(paid).size).toBe(paid.length)
  expect((await lookInto('second-before')).broken).toEqual([])
})
