/** Whatever dies between the provider's file and the database, money moves once, and the next try finds what was done. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import { clock } from '../../kit/clock.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { endPause, pauseJobs } from '../../kit/server/pauses.ts'
import { draftOf, liveCampaign, paidTester } from '../../testing/app.ts'
import { runScript } from '../../testing/installation.ts'
import { type Crashes, prepareCrashes } from '../../testing/crashes.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { headLine, type Movement } from './movements.ts'
import { begunCharge } from '../../testing/begunCharge.ts'
import { sendCall } from './calls.queries.ts'
import { claimWithdrawal } from './payouts.queries.ts'
import { sandbox } from './sandbox.ts'
import { assertStartsWith, claimFile, sandboxMovements, useSandboxFile } from './sandboxFile.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
let crashes: Crashes
let other: string
beforeAll(async () => {
  crashes = await prepareCrashes(t)
  other = await mkdtemp(join(tmpdir(), 'fieldtest-other-'))
})
afterAll(async () => {
  await crashes.stop()
  await rm(other, { recursive: true })
})

/** Reads the file itself, not what this server remembers of it. */
const inFile = async (of?: string) =>
  (await readFile((await sandboxMovements()).path, 'utf8'))
    .split('\n')
    .slice(1)
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Movement)
    .filter(movement => of === undefined || movement.of === of)
const fund = (id: string, key: string) =>
  developer.call<Campaign>('POST', `/campaigns/${id}/fund`, { amountCents: 3450 }, key)
const paymentsOf = (id: string) => t.look<{ id: string }>('select id from payments where campaign_id = $1', [id])

test('a charge whose request died after the provider had made it is booked by the job, and nobody pays twice', async () => {
  const { id } = await draftOf(developer)
  const charge = await begunCharge(developer, id, 3450)
  await sandbox.charge(charge)
  expect(await brokenChecks()).toEqual([])
  expect(await fund(id, 'meanwhile')).toMatchObject({
    status: 409,
    body: { message: 'A payment for this campaign is already on its way. Its result will appear here.' },
  })
  await t.advance(1)
  expect(await paymentsOf(id)).toEqual([{ id: charge.subjectId }])
  expect((await inFile(id)).map(({ key, kind }) => [key, kind])).toEqual([[charge.key, 'CHARGE']])
  expect((await developer.call<Campaign>('GET', `/campaigns/${id}`)).body).toMatchObject({
    status: 'PENDING_APPROVAL',
    fundedCents: 3000,
  })
})

test('a declined charge is recorded, and paying for the campaign again makes a new charge', async () => {
  const { id } = await draftOf(developer)
  const pay = (method: string) =>
    developer.call('PATCH', '/users/me', { paymentMethod: method, currentPassword: 'correct horse' })
  await pay('decline@example.test')
  expect((await fund(id, 'declined')).status).toBe(402)
  await pay('pay@example.test')
  expect((await fund(id, 'paid')).status).toBe(200)
  await admin.call('POST', `/admin/campaigns/${id}/reject`, { reason: 'The description is missing.' })
  const charges = (await inFile(id)).filter(({ kind }) => kind === 'CHARGE')
  expect(charges.map(({ declined }) => declined === null)).toEqual([false, true])
  expect(new Set(charges.map(({ key }) => key)).size).toBe(2)
})

test('a payout and a refund that are in the file but not in the database are recorded, and not made again', async () => {
  const tester = await paidTester(t, developer, admin, 1500)
  await tester.call('POST', '/testers/withdraw', { amountCents: 1500 })
  const [withdrawal] = await t.look<{ id: string }>('select id from withdrawals where tester_id = $1', [tester.user.id])
  const { id } = await liveCampaign(developer, admin)
  await developer.call('POST', `/campaigns/${id}/cancel`)
  const [part] = await t.look<{ id: string; of: string; amountCents: number }>(
    `select p.id, p.payment_id as of, p.amount_cents::int as "amountCents" from refund_parts p
      join refunds r on r.id = p.refund_id where r.campaign_id = $1`,
    [id],
  )
  const movements = await sandboxMovements()
  const done = { declined: null, at: clock.now() }
  const paid = {
    key: withdrawal!.id,
    id: withdrawal!.id,
    kind: 'PAYOUT',
    amountCents: 1500,
    of: tester.user.id,
  } as const
  await transact(tx => claimWithdrawal(tx, paid.id, { provider: 'sandbox', now: clock.now() }))
  for (const subject of [paid.id, part!.id]) await sendCall(autocommit, subject, clock.now())
  await movements.record({ ...paid, ...done })
  await movements.record({ ...part!, key: part!.id, kind: 'REFUND', ...done })
  const before = await inFile()
  await t.advance(1)
  expect(await inFile()).toEqual(before)
  expect(await t.look('select status from withdrawals where id = $1', [withdrawal!.id])).toEqual([
    { status: 'COMPLETED' },
  ])
  expect(await t.look('select status from refund_parts where id = $1', [part!.id])).toEqual([{ status: 'COMPLETED' }])
  expect(await brokenChecks()).toEqual([])
})

test('a lost file is recreated from what the database knows, with the same keys', async () => {
  const before = await inFile()
  const { path, id } = await sandboxMovements()
  await rm(path)
  await useSandboxFile({ path: undefined, dataDir: t.dataDir })
  expect((await sandboxMovements()).id).toBe(id)
  const byKey = (all: Movement[]) =>
    all.map(movement => ({ ...movement, at: 'any' })).toSorted((a, b) => (a.key < b.key ? -1 : 1))
  expect(byKey(await inFile())).toEqual(byKey(before))
})

test('another server of the machine uses the same file, whatever its data folder', async () => {
  const { path } = await sandboxMovements()
  await useSandboxFile({ path: undefined, dataDir: other })
  expect((await sandboxMovements()).path).toBe(path)
  await useSandboxFile({ path: undefined, dataDir: t.dataDir })
})

test('a server that is configured with another place than the file’s does not start until the file is moved there', async () => {
  const { path: from } = await sandboxMovements()
  const path = join(other, 'moved.jsonl')
  await expect(useSandboxFile({ path, dataDir: t.dataDir })).rejects.toThrow(
    `SANDBOX_FILE is ${path}, but the sandbox’s movements of this database are in ${from}. Move that file there`,
  )
  await rename(from, path)
  await useSandboxFile({ path, dataDir: t.dataDir })
  expect((await sandboxMovements()).path).toBe(path)
  await rename(path, from)
  await useSandboxFile({ path: undefined, dataDir: t.dataDir })
  expect((await sandboxMovements()).path).toBe(from)
})

test('the file of another database is refused with a sentence', async () => {
  const foreign = join(other, 'foreign.jsonl')
  await writeFile(foreign, headLine(randomUUID()))
  await expect(useSandboxFile({ path: foreign, dataDir: t.dataDir })).rejects.toThrow('Set SANDBOX_FILE to the file of')
  await useSandboxFile({ path: undefined, dataDir: t.dataDir })
})

test('a restored copy creates no new file, and takes no payment until its jobs are resumed, even if the file is there', async () => {
  const { path } = await sandboxMovements()
  await transact(tx => pauseJobs(tx, { reason: 'RESTORED', note: 'Restored' }))
  const missing = join(other, 'moved.jsonl')
  await useSandboxFile({ path: missing, dataDir: other })
  const { id } = await draftOf(developer)
  expect(await fund(id, 'without')).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
  await expect(readFile(missing)).rejects.toThrow('ENOENT')
  await writeFile(missing, await readFile(path))
  expect(await fund(id, 'with')).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
  expect((await sandboxMovements()).path).toBe(missing)
  expect(await inFile(id)).toEqual([])
  await transact(tx => endPause(tx, { reason: 'RESTORED', by: null }))
  expect((await fund(id, 'resumed')).status).toBe(200)
})

test('a restored copy that a command has told of its file takes payments once it is resumed, wherever SANDBOX_FILE is', async () => {
  const movements = await sandboxMovements()
  const missing = join(other, 'nowhere.jsonl')
  await transact(tx => pauseJobs(tx, { reason: 'RESTORED', note: 'Restored' }))
  await useSandboxFile({ path: missing, dataDir: other })
  await claimFile(autocommit, movements)
  await transact(tx => endPause(tx, { reason: 'RESTORED', by: null }))
  const { id } = await draftOf(developer)
  expect((await fund(id, 'told')).status).toBe(200)
  await useSandboxFile({ path: movements.path, dataDir: t.dataDir })
})

test('a restored copy that finds the file of another database takes no payment, and answers that it is unavailable', async () => {
  const { path } = await sandboxMovements()
  await transact(tx => pauseJobs(tx, { reason: 'RESTORED', note: 'Restored' }))
  const late = join(other, 'late.jsonl')
  await useSandboxFile({ path: late, dataDir: other })
  await writeFile(late, headLine(randomUUID()))
  await expect(sandboxMovements()).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    cause: { message: expect.stringContaining(`${late} holds the sandbox’s movements of another database`) },
  })
  await rm(late)
  await transact(tx => endPause(tx, { reason: 'RESTORED', by: null }))
  await useSandboxFile({ path, dataDir: t.dataDir })
})

test.each(['reconcile', 'resume'])(
  '“npm run %s” on a restored copy accepts no file with which its servers would not start',
  async command => {
    const { path } = await sandboxMovements()
    const SANDBOX_FILE = join(other, 'elsewhere.jsonl')
    await transact(tx => pauseJobs(tx, { reason: 'RESTORED', note: 'Restored' }))
    const { code, said } = await runScript(command, ['--provider-file', path], {
      DATABASE_URL: t.databaseUrl,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      SANDBOX_FILE,
    })
    expect(said).toContain(`The provider’s file is ${path}, but SANDBOX_FILE is ${SANDBOX_FILE}`)
    expect(code).toBe(1)
    await transact(tx => endPause(tx, { reason: 'RESTORED', by: null }))
  },
)

test('a file that SANDBOX_FILE reaches through a symbolic link is the same file, and one that is a copy of it is not', async () => {
  const { path } = await sandboxMovements()
  const folder = join(other, 'links')
  await mkdir(folder)
  const [linked, above] = [join(folder, 'linked.jsonl'), join(folder, 'above')]
  await symlink(path, linked)
  await symlink(dirname(path), above)
  const throughFolder = join(above, basename(path))
  for (const [named, found] of [
    [linked, path],
    [path, linked],
    [throughFolder, linked],
  ] as const) {
    await assertStartsWith(named, { path: found })
  }
  const copy = join(folder, 'copy.jsonl')
  await writeFile(copy, await readFile(path))
  for (const named of [copy, join(folder, 'missing.jsonl')])
    await expect(assertStartsWith(named, { path: linked })).rejects.toThrow(
      `The provider’s file is ${linked}, but SANDBOX_FILE is ${named}`,
    )
  // What the commands accept, a server starts with.
  await useSandboxFile({ path: throughFolder, dataDir: t.dataDir })
  expect((await sandboxMovements()).path).toBe(throughFolder)
  await useSandboxFile({ path, dataDir: t.dataDir })
})

test('a server does not start with a link to a file that is missing, and says so', async () => {
  const { path } = await sandboxMovements()
  const [away, dangling] = [join(other, 'away.jsonl'), join(other, 'dangling.jsonl')]
  await symlink(join(other, 'not mounted.jsonl'), dangling)
  await rename(path, away)
  await expect(useSandboxFile({ path: dangling, dataDir: t.dataDir })).rejects.toThrow(
    `${dangling} is a link to a file that does not exist`,
  )
  await rename(away, path)
  await useSandboxFile({ path, dataDir: t.dataDir })
})
