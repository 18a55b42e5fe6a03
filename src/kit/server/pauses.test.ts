/** While jobs are paused they wait unchanged on every server; jobs that are never paused go on. */
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { allJobs } from '../../app/server/routes.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { autocommit, transact } from './db.ts'
import { bringJobsForward, runDueJobs, runScheduledJobs } from './dueJobs.ts'
import { enqueue, type Job, startJobs, stopJobs } from './jobs.ts'
import { runAndSettle } from './jobRuns.ts'
import { endPause, openPause, pauseJobs } from './pauses.ts'
import { until } from '../../testing/until.ts'

const t = testApp()
const admin = signedUp(t, 'ADMIN')
let ran: string[] = []
const errors: unknown[] = []
/** What a test has some of these jobs do. */
const doing = new Map<string, () => Promise<void>>()

const jobOf = (name: string, more: Partial<Job<{ text: string }>> = {}): Job<{ text: string }> => ({
  name: `test.${name}`,
  expireMinutes: 1,
  run: async ({ text }: { text?: string }) => {
    ran.push(text ?? name)
    await doing.get(text ?? name)?.()
  },
  ...more,
})
const pay = jobOf('pay', { atOnce: 5 })
const mail = jobOf('mail', { neverPaused: 'BY_ADMIN' })
const erase = jobOf('erase', { neverPaused: true })
const wake = jobOf('wake', { cron: '* * * * *', retried: false })
const check = jobOf('check', { cron: '0 3 * * *', neverPaused: true })
const all = [pay, mail, erase, wake, check]
const start = (work = false) => startJobs(all, { work, pollSeconds: 0.5, onError: error => errors.push(error) })

beforeAll(async () => {
  await stopJobs()
  await start()
})
beforeEach(() => {
  ran = []
})
afterEach(async () => {
  await transact(tx => tx.raw(`update job_pauses set resumed_at = paused_at where resumed_at is null`))
  await runDueJobs()
  doing.clear()
})

const pauseByAdmin = () =>
  transact(tx => pauseJobs(tx, { reason: 'ADMIN', by: admin.user.id, note: 'The provider is down' }))
const pauseAsRestored = () => transact(tx => pauseJobs(tx, { reason: 'RESTORED', note: 'Restored from a backup' }))
const resumed = () => transact(tx => endPause(tx, { reason: 'ADMIN', by: admin.user.id }))
const enqueueAll = () =>
  transact(async tx => {
    for (const job of [pay, mail, erase]) await enqueue(tx, job, { text: job.name })
  })
const jobs = (name: string) =>
  t.look<{ state: string; tries: number }>(
    'select state::text, retry_count as tries from pgboss.job where name = $1 order by created_on desc',
    [name],
  )
const stateOf = (text: string) =>
  t.look<{ state: string; tries: number }>(
    `select state::text, retry_count as tries from pgboss.job where data->>'text' = $1`,
    [text],
  )
/** Without the schedule, whose minute may come during a test. */
const ranOnce = () => ran.filter(text => text !== 'wake').toSorted()

test('during an admin’s pause jobs wait, while emails and jobs that are never paused go on; afterwards each has run once', async () => {
  await pauseByAdmin()
  await enqueueAll()
  await runDueJobs()
  expect(ran).toEqual([mail.name, erase.name])
  expect(await jobs(pay.name)).toMatchObject([{ state: 'created', tries: 0 }])
  await resumed()
  await runDueJobs()
  expect(ran).toEqual([mail.name, erase.name, pay.name])
})

test('in a restored copy, emails wait as well', async () => {
  await enqueueAll()
  await pauseAsRestored()
  await runDueJobs()
  expect(ran).toEqual([erase.name])
})

test('a paused schedule is skipped, and one that is never paused runs', async () => {
  await pauseByAdmin()
  await runScheduledJobs()
  expect(ran).toEqual(['check'])
})

test('runs of a paused schedule do not pile up: each ends without doing anything', async () => {
  await pauseByAdmin()
  await transact(async tx => {
    for (let minute = 0; minute < 10; minute++) await enqueue(tx, wake, {} as { text: string })
  })
  await runDueJobs()
  expect(ran).toEqual([])
  expect(new Set((await jobs(wake.name)).map(({ state }) => state))).toEqual(new Set(['completed']))
})

test('a job that has waited through a year of pause still exists', async () => {
  await pauseByAdmin()
  await transact(tx => enqueue(tx, pay, { text: 'old' }))
  const [kept] = await t.look<{ days: number }>(
    `select extract(day from keep_until - start_after)::int as days from pgboss.job where data->>'text' = 'old'`,
  )
  expect(kept!.days).toBeGreaterThanOrEqual(365)
})

test('running servers notice a pause and its end; a job under way is finished and not repeated', async () => {
  await stopJobs()
  await start(true)
  let release = () => {}
  doing.set('slow', () => new Promise(resolve => (release = resolve)))
  await transact(tx => enqueue(tx, pay, { text: 'slow' }))
  await until(() => ran.includes('slow'))
  await pauseByAdmin()
  release()
  await until(async () => (await stateOf('slow'))[0]!.state === 'completed')
  // More jobs than fit into a batch: none loses a try, even if a server takes it just before it notices the pause.
  const texts = Array.from({ length: 12 }, (_, index) => `waits ${index}`)
  await transact(async tx => {
    for (const text of texts) await enqueue(tx, pay, { text })
    await enqueue(tx, erase, { text: 'erased' })
  })
  await until(() => ran.includes('erased'))
  expect(ranOnce()).toEqual(['erased', 'slow'])
  await resumed()
  await until(() => texts.every(text => ran.includes(text)))
  await stopJobs()
  await start()
  await runDueJobs()
  expect(ranOnce()).toEqual(['slow', 'erased', ...texts].toSorted())
  expect(await t.look(`select from pgboss.job where name = 'test.pay' and retry_count > 0`)).toEqual([])
})

test('a server that starts on a paused database leaves paused jobs alone, and takes them when the pause ends', async () => {
  await pauseByAdmin()
  await enqueueAll()
  await stopJobs()
  await start(true)
  await until(() => ran.includes(erase.name))
  expect(ran).not.toContain(pay.name)
  await resumed()
  await until(() => ran.includes(pay.name))
  await stopJobs()
  await start()
})

test('a job that was taken just as a pause began is put back as it was, with its tries', async () => {
  let fails = true
  doing.set('flaky', async () => {
    if (fails) throw new Error('not yet')
  })
  await transact(tx => enqueue(tx, pay, { text: 'flaky' }))
  await runDueJobs()
  fails = false
  await bringJobsForward(1)
  // The job was taken between the look at the pauses and the pause.
  const [row] = await t.look<{
    id: string
  }>(`update pgboss.job set state = 'active', retry_count = 1, heartbeat_on = now()
    where data->>'text' = 'flaky' returning id`)
  await pauseByAdmin()
  let noticed = 0
  const watch = { onError: () => {}, onPaused: () => void noticed++ }
  await runAndSettle(undefined as never, pay, [{ id: row!.id, data: { text: 'flaky' }, retryCount: 1 }], watch)
  expect([noticed, ran]).toEqual([1, ['flaky']])
  expect(await stateOf('flaky')).toEqual([{ state: 'retry', tries: 1 }])
  await resumed()
  await runDueJobs()
  expect(ran).toEqual(['flaky', 'flaky'])
})

test('at most one pause is open; restoring a paused copy opens everything again that a restored copy waits for', async () => {
  const [first, second] = await Promise.all([pauseByAdmin(), pauseByAdmin()])
  expect([first, second].filter(Boolean)).toHaveLength(1)
  await pauseAsRestored()
  const open = await openPause(autocommit)
  expect(open).toMatchObject({
    reason: 'RESTORED',
    note: 'Restored from a backup (Paused before: The provider is down)',
    keysFoundAt: null,
    reconciledAt: null,
  })
  expect(await resumed()).toBeUndefined()
  expect(await openPause(autocommit)).toMatchObject({ id: open!.id })
})

test('these jobs go on while jobs are paused', () => {
  const names = (wanted: unknown) =>
    allJobs
      .filter(({ neverPaused }) => neverPaused === wanted)
      .map(({ name }) => name)
      .toSorted()
  expect(names(true)).toEqual([
    'accounts.forget-old-sessions',
    'accounts.forget-old-sign-ins',
    'attachments.sweep',
    'books.mark-balances',
    'dashboards.check-figures',
    'dashboards.fold-figures',
    'events.forget',
    'fraud.nightly-scan',
    'fraud.scan',
    'idempotency.forget-old-keys',
    'ledger.empty-events',
    'ledger.tell-of-limit-change',
    'notifications.forget-old',
    'operations.check-changes',
    'operations.check-data',
    'operations.check-in-full',
    'play-addresses.erase',
    'retention.finish-letting-go',
    'retention.jobs',
    'retention.let-go',
    'retention.make-partitions',
  ])
  expect(names('BY_ADMIN')).toEqual([
    'accounts.send-copy',
    'accounts.send-link',
    'accounts.send-reset-link',
    'ledger.tell-of-breaches',
    'notifications.digests',
    'notifications.send-digest',
    'notifications.send-mail',
    'play-addresses.seal-again',
  ])
  expect(names(undefined)).toEqual(
    expect.arrayContaining(['ledger.pay-out', 'ledger.pay-refund-part', 'participations.wake', 'campaigns.complete']),
  )
})

test('no unexpected error was reported', () => {
  expect(errors).toEqual([])
})
