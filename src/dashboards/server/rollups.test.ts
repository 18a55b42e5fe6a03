/** The figures from the roll-ups equal a full count of the rows, whatever has happened and however often changes were folded. */
import { beforeAll, expect, test } from 'vitest'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { autocommit } from '../../kit/server/db.ts'
import { counts } from '../../people/server/people.ts'
import { joinedBy, liveCampaign, paidTester } from '../../testing/app.ts'
import * as full from '../../testing/fullCount.ts'
import * as counted from '../../testing/fullCount.queries.ts'
import { type History, historyOf } from '../../testing/history.ts'
import { brokenChecks, connectBeside, inParallel } from '../../testing/observed.ts'
import { nodesOf, type PlanNode } from '../../testing/plans.ts'
import { testApp } from '../../testing/prologue.ts'
import { recordEach, whenAnswered } from '../../testing/recorded.ts'
import { periods } from '../terms.ts'
import { monthStart, type Span } from '../rules.ts'
import * as dashboards from './dashboards.ts'
import { platformSums } from './platform.queries.ts'
import { foldFigures } from './rollups.queries.ts'

const t = testApp()
const steps = 200
let happened: Record<string, number>
let history: History

const signedIn = (id: string): SignedIn => ({ id, role: 'DEVELOPER', sessionId: '' })

/** Compares every figure of every screen with a full count. */
const agree = async () => {
  const now = clock.now()
  expect(await dashboards.stats()).toEqual(await full.stats(now))
  expect(await counts()).toEqual(await counted.userCounts(autocommit, monthStart(now)))
  for (const period of periods) {
    const { from: _from, ...shown } = await dashboards.analytics(period)
    const { from: _otherFrom, ...expected } = await full.analytics(period, now)
    expect(shown).toEqual(expected)
  }
  for (const { user } of history.developers) {
    expect(await dashboards.developerFigures(signedIn(user.id))).toEqual(await full.developerFigures(user.id, now))
    const { filling: _filling, ...analytics } = await dashboards.developerAnalytics(signedIn(user.id))
    expect(analytics).toEqual(await full.developerAnalytics(user.id, now))
  }
}

/** Compares spans that start and end exactly at the time of a row, or a millisecond beside it. */
const spansAgree = async () => {
  const times = await t.look<{ at: string }>(`
    select at from (select created_at as at from users union select created_at from payments union select created_at from refunds
      union select joined_at from participations union select closed_at from participations where closed_at is not null) times
    order by md5(at::text) limit 25`)
  for (const { at } of times) {
    for (const from of [at, hoursAfter(at, 1e-3 / 3600), hoursAfter(at, -1e-3 / 3600)]) {
      const { sums } = await platformSums(autocommit, { sums: { from, to: null } })
      expect({ from, ...sums }).toMatchObject({ from, ...(await sumsOf({ from, to: null })) })
      const within: Span = { from: monthStart(from), to: from }
      const { before } = await platformSums(autocommit, { before: within })
      const { paidCents: _paid, payingCampaigns: _paying, feeCents: _fees, ...expected } = await sumsOf(within)
      expect({ from, ...before }).toMatchObject({ from, ...expected })
    }
  }
}

const sumsOf = async (span: Span) => {
  const paid = await counted.paidCampaigns(autocommit, span.from)
  return {
    users: await counted.usersCreated(autocommit, span),
    campaigns: await counted.campaignsCreated(autocommit, span),
    revenueCents: await counted.revenue(autocommit, span),
    paidCents: paid.cents,
    payingCampaigns: paid.campaigns,
    feeCents: await counted.platformFees(autocommit, span.from),
    ...(await counted.conversion(autocommit, span)),
  }
}

beforeAll(async () => {
  happened = {}
  history = await historyOf(t, Number(process.env['HISTORY_SEED'] ?? 7))
  for (let step = 0; step < steps; step++) {
    const name = await history.step()
    happened[name] = (happened[name] ?? 0) + 1
    // Changes are read both before and after they are folded, and folded both with others and alone.
    if (step % 10 === 0) await agree()
    if (step % 15 === 0) await foldFigures(autocommit, 3)
  }
  // Whatever the seed, there is one verified test, and one that is not verified.
  const [developer, admin, late] = [history.developers[0]!, await t.signUp('ADMIN'), await t.signUp('TESTER')]
  const { id } = await liveCampaign(developer, admin, { durationDays: 9 })
  await joinedBy(late, id)
  await paidTester(t, developer, admin, 2000)
  await agree()
  await t.advance(100)
}, 600_000)

test('after a random history, the figures equal a full count, folded or not', async () => {
  await agree()
  await foldFigures(autocommit, 10_000)
  await agree()
  expect(await t.look('select from figure_changes')).toEqual([])
  expect(await brokenChecks()).toEqual([])
  // The history contains what it has to.
  const [had] = await t.look<Record<string, boolean>>(`select
    (select count(*) > 0 from participations where status = 'VERIFIED' and check_in_count > 0) as verified,
    (select count(*) > 0 from participations where status = 'DROPPED') as dropped,
    (select count(*) > 0 from audit_log where action = 'figures.mend') as mended`)
  expect(had).toEqual({ verified: true, dropped: true, mended: false })
})

test('a span is exact to the millisecond, wherever in an hour or a month it begins or ends', spansAgree)

test('the full count still matches on later days, when open tests have more days', async () => {
  const right = clock.offsetMs()
  for (const days of [0.5, 3, 20, 40, 70]) {
    clock.setOffsetMs(right + days * 86_400_000)
    await agree()
  }
  clock.setOffsetMs(right)
})

test('concurrent actions are all counted while changes are folded and read', async () => {
  const acting = { over: false }
  const folding = (async () => {
    while (!acting.over) await foldFigures(autocommit, 2)
  })()
  await inParallel(20, index => t.signUp(index % 2 ? 'TESTER' : 'DEVELOPER'))
  await inParallel(20, () => history.step('a draft'))
  await inParallel(20, () => history.step('a payment'))
  await inParallel(20, () => history.step('a join'))
  acting.over = true
  await folding
  await agree()
  expect(await brokenChecks()).toEqual([])
})

test('uncommitted changes are in no figure, and a fold that is rolled back loses nothing', async () => {
  const [writer, folder] = await Promise.all([connectBeside(t), connectBeside(t)])
  try {
    const before = await dashboards.stats()
    await writer.query('begin')
    await writer.query(
      `insert into users (id, email, name, role, password_hash, created_at)
      values (gen_random_uuid(), 'open@example.test', 'Open', 'TESTER', 'x', $1)`,
      [clock.now()],
    )
    expect(await dashboards.stats()).toEqual(before)
    await foldFigures(autocommit, 10_000)
    expect(await dashboards.stats()).toEqual(before)
    await writer.query('commit')
    await folder.query('begin')
    expect((await folder.query('select fold_figures(100)')).rows).toEqual([{ fold_figures: 1 }])
    expect(await foldFigures(autocommit, 100)).toBe(0)
    expect((await dashboards.stats()).totalUsers).toBe(before.totalUsers + 1)
    await folder.query('rollback')
    expect((await dashboards.stats()).totalUsers).toBe(before.totalUsers + 1)
    await foldFigures(autocommit, 10_000)
    expect((await dashboards.stats()).totalUsers).toBe(before.totalUsers + 1)
    await agree()
  } finally {
    await Promise.all([writer.end(), folder.end()])
  }
})

/**
 * Returns how many statements were sent, and how many at most at the same time; statements that begin or end a transaction do not
 * count.
 */
const observed = async (act: () => Promise<unknown>) => {
  let [sent, underWay, atOnce] = [0, 0, 0]
  await recordEach(act, (statement, more, _client, ask) => {
    if (typeof statement === 'string') return ask(statement, ...more)
    sent++
    atOnce = Math.max(atOnce, ++underWay)
    return whenAnswered(
      statement,
      more,
      (...given) => ask(statement, ...given),
      () => underWay--,
    )
  })
  return { sent, atOnce }
}

test('a screen sends one to three statements, one after another', async () => {
  const developer = signedIn(history.developers[0]!.user.id)
  for (const [screen, statements] of [
    [() => dashboards.stats(), 1],
    [() => dashboards.analytics('30d'), 3],
    [() => dashboards.analytics('all'), 3],
    [() => dashboards.developerFigures(developer), 1],
    [() => dashboards.developerAnalytics(developer), 3],
    [() => dashboards.testerFigures(developer), 2],
  ] as const) {
    const { sent, atOnce } = await observed(screen)
    expect({ screen: String(screen), sent, atOnce }).toEqual({ screen: String(screen), sent: statements, atOnce: 1 })
  }
})

test('the fees of a part of an hour are found through an index on their time, not by reading all fees', async () => {
  const db = await connectBeside(t)
  await db.query('set enable_seqscan = off')
  const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (format json) select from platform_facts where at >= now() - interval '9 minutes' and at < now()`,
  )
  await db.end()
  const fees = nodesOf(rows[0]!['QUERY PLAN'][0].Plan).find(({ node }) => node['Relation Name'] === 'transfers')!.node
  expect(fees['Index Cond']).toContain('at < now()')
  expect(fees.Filter).toBeUndefined()
})
