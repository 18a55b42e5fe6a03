/** The roll-ups are filled from existing rows, and compared with them every night. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { AuditEntry } from '../../audit/contract.ts'
import { clock } from '../../kit/clock.ts'
import { projectRoot } from '../../kit/server/root.ts'
import { daysAndProof, joinedBy, liveCampaign, paidTester } from '../../testing/app.ts'
import * as full from '../../testing/fullCount.ts'
import { brokenChecks, connectBeside, inParallel } from '../../testing/observed.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { untilWaiting } from '../../testing/races.ts'
import { stats } from './dashboards.ts'
import { checkFigures, foldFigures } from './rollups.ts'

const t = testApp({}, { fresh: true })
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
beforeEach(async () => {
  await paidTester(t, developer, admin, 1000)
  await foldFigures.run({})
})

const entries = async () =>
  (await admin.call<{ data: AuditEntry[] }>('GET', '/admin/audit-log?action=figures.mend')).body.data

test('changes made without the triggers are corrected at night, audited and reported', async () => {
  await checkFigures.run({})
  expect(await entries()).toEqual([])
  for (const [statement, figures, rollUps] of [
    [
      `update platform_figures set joined = joined + 5, users = users - 1 where unit = 'month'`,
      'joined, users',
      'platform_figures',
    ],
    [`delete from developer_figures`, 'joined', 'developer_figures'],
    [`update verified_tests set verified = verified + 2`, 'verified', 'verified_tests'],
    [`update campaign_revenue set most_cents = 0`, 'most_cents', 'campaign_revenue'],
    [
      // Also changes the campaign's own total, because the roll-ups are compared with that as well.
      `with paid as (update payments set amount_cents = amount_cents + 100 returning campaign_id)
        update campaigns set funded_cents = funded_cents + 100 where id in (select campaign_id from paid)`,
      'paid_cents',
      'platform_figures',
    ],
  ] as const) {
    await t.look(statement)
    await expect(checkFigures.run({})).rejects.toThrow(figures)
    const [newest] = await entries()
    expect(newest).toMatchObject({ admin: null, subjectType: 'figures' })
    expect(newest!.facts['figures']).toContain(figures)
    expect(newest!.facts['rollUps']).toContain(rollUps)
    expect((await brokenChecks()).filter(({ check }) => check === 'figures.sql')).toEqual([])
    expect(await stats()).toEqual(await full.stats(clock.now()))
    // Corrected once: the next night finds nothing.
    const count = (await entries()).length
    await checkFigures.run({})
    expect(await entries()).toHaveLength(count)
  }
})

test.each(['developer_figures', 'platform_figures'])(
  'each of the %s is missed if it alone is wrong, and mended',
  async table => {
    const columns = await t.look<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
      and atttypid = 'int8'::regtype`,
      [table],
    )
    expect(columns.length).toBeGreaterThan(10)
    const off = async () => (await t.look(`select from ${table}_off('-infinity', 'infinity')`)).length
    expect(await off()).toBe(0)
    for (const { name } of columns) {
      await t.look(`update ${table} set ${name} = ${name} + 1`)
      expect([name, (await off()) > 0]).toEqual([name, true])
      await t.look(`select from mend_figures('-infinity', 'infinity')`)
      expect([name, await off()]).toEqual([name, 0])
    }
  },
)

test('what begins with the next month is left to the comparison of that month', async () => {
  const off = async (rollUp: string, from: string, to: string) =>
    (await t.look(`select from ${rollUp}_off($1, $2)`, [from, to])).length
  const firstOf = async (column: string, rows: string) =>
    (await t.look<{ at: string }>(`select min(${column}) as at from ${rows}`))[0]!.at
  const month = await firstOf('month', 'campaign_revenue')
  const [fact, paid] = [await firstOf('at', 'developer_facts'), await firstOf('created_at', 'payments')]
  // Both sides of each comparison are off: what the rows count, and what is counted from the facts.
  await t.look('update developer_figures set joined = joined + 1')
  await t.look('update campaign_revenue set most_cents = 0')
  for (const rollUp of ['developer_figures', 'campaign_revenue']) {
    expect([rollUp, await off(rollUp, '-infinity', month)]).toEqual([rollUp, 0])
    // A campaign that has paid and is in the roll-up is named once.
    expect([rollUp, await off(rollUp, month, 'infinity')]).toEqual([rollUp, 1])
  }
  await t.look('delete from developer_figures')
  expect([await off('developer_figures', '-infinity', fact), await off('developer_figures', fact, 'infinity')]).toEqual(
    [0, 1],
  )
  await t.look('delete from campaign_revenue')
  expect([await off('campaign_revenue', '-infinity', paid), await off('campaign_revenue', paid, 'infinity')]).toEqual([
    0, 1,
  ])
})

test('a campaign that the roll-up has in a month without payments is found there', async () => {
  await t.look(`update campaign_revenue set month = month - interval '2 months'`)
  expect(
    await t.look(
      `select from campaign_revenue_off('-infinity', (select month + interval '1 day' from campaign_revenue))`,
    ),
  ).toHaveLength(1)
})

test('a rejection that is not final has not ended its test, and no test ends before it begins', async () => {
  const { id } = await liveCampaign(developer, admin)
  const { id: testId } = await joinedBy(await t.signUp('TESTER'), id)
  const off = () => t.look(`select * from verified_tests_off('-infinity', 'infinity')`)
  await t.look(
    `update participations set status = 'REJECTED', rejection_code = 'OTHER', rejection_reason = 'Not of our app.',
      proof_text = 'It went well.', proof_submitted_at = joined_at, reviewed_at = joined_at where id = $1`,
    [testId],
  )
  expect(await off()).toEqual([])
  // As a server whose clock is behind writes it.
  await t.look(`update participations set closed_at = joined_at - interval '2 hours', wake_at = null where id = $1`, [
    testId,
  ])
  expect(await off()).toEqual([])
})

test('what is missing of a month before all that the roll-ups know is corrected as well', async () => {
  await t.look('delete from platform_figures')
  clock.setOffsetMs(clock.offsetMs() + 40 * 86_400_000)
  await expect(checkFigures.run({})).rejects.toThrow('(-infinity to')
  expect(await stats()).toEqual(await full.stats(clock.now()))
})

test('of two nightly checks at once, the second corrects nothing again', async () => {
  await t.look(`update platform_figures set users = users - 1 where unit = 'month'`)
  const [first, observer] = await Promise.all([connectBeside(t), connectBeside(t)])
  try {
    await first.query('begin')
    await first.query(`select mend_figures('-infinity', 'infinity')`)
    const second = checkFigures.run({})
    await untilWaiting(observer, 1, second)
    await first.query('commit')
    await second
  } finally {
    await Promise.all([first.end(), observer.end()])
  }
  expect(await entries()).toEqual([])
  expect(await stats()).toEqual(await full.stats(clock.now()))
})

test('the nightly check finds nothing to correct while people act and changes are folded', async () => {
  const acting = { over: false }
  const folding = (async () => {
    while (!acting.over) await foldFigures.run({})
  })()
  try {
    await Promise.all([
      inParallel(30, index => t.signUp(index % 2 ? 'TESTER' : 'DEVELOPER')),
      (async () => {
        for (let night = 0; night < 10; night++) await checkFigures.run({})
      })(),
    ])
  } finally {
    acting.over = true
    await folding
  }
  expect(await entries()).toEqual([])
  expect(await brokenChecks()).toEqual([])
})

test('a database from before the roll-ups gets them filled, including everything that older servers wrote meanwhile', async () => {
  const folder = join(projectRoot, 'migrations')
  const files = (await readdir(folder))
    .filter(name => /-(figure-changes|figures|figures-counted|ended-tests)\.sql$/.test(name))
    .toSorted()
  expect(files).toHaveLength(4)
  const [changes, triggers, fill, ended] = await Promise.all(files.map(name => readFile(join(folder, name), 'utf8')))
  const beside = await connectBeside(t)
  try {
    await beside.query(`drop table figure_changes, campaign_revenue, platform_figures, verified_tests, developer_figures cascade;
      drop view platform_facts, developer_facts; drop index campaigns_running_of_developer;
      drop function count_payments() cascade; drop function count_refunds() cascade; drop function count_user() cascade;
      drop function count_campaign() cascade; drop function count_fee() cascade; drop function count_participation() cascade;
      drop function revenue_of_campaign(uuid) cascade; drop function count_revenue_of(uuid[])`)
    const more = () => paidTester(t, developer, admin, 2000)
    const { id } = await liveCampaign(developer, admin, { durationDays: 1 })
    const tester = await t.signUp('TESTER')
    const own = { person: tester, participationId: (await joinedBy(tester, id)).id }
    await beside.query(changes!)
    await developer.call('POST', `/campaigns/${(await liveCampaign(developer, admin)).id}/cancel`)
    await beside.query(triggers!)
    await t.signUp('TESTER')
    // A transaction that is still open when the roll-ups are filled.
    const open = await connectBeside(t)
    await open.query('begin')
    await open.query(`update users set suspended_at = $1, suspension_reason = 'Doubt' where id = $2`, [
      clock.now(),
      tester.user.id,
    ])
    await beside.query(fill!)
    await open.query('rollback')
    await open.end()
    expect((await t.look('select from figure_changes')).length).toBeGreaterThan(0)
    await beside.query(ended!)
    for (const name of [
      'revenue_of_campaign',
      'count_revenue_of',
      'platform_figures_off',
      'developer_figures_off',
      'verified_tests_off',
      'campaign_revenue_off',
      'fold_figures',
      'mend_figures',
    ])
      await beside.query(await readFile(join(folder, 'functions', `${name}.sql`), 'utf8'))
    expect((await brokenChecks()).filter(({ check }) => check === 'figures.sql')).toEqual([])
    await daysAndProof(t, [own], 1)
    await more()
    expect((await brokenChecks()).filter(({ check }) => check === 'figures.sql')).toEqual([])
    const now = clock.now()
    expect(await stats()).toEqual(await full.stats(now))
  } finally {
    await beside.end()
  }
})

test('check-ins expected before the opt-in are recounted when the schema changes, and the night finds nothing', async () => {
  const folder = join(projectRoot, 'migrations')
  const files = (await readdir(folder))
    .filter(name => /-(ended-tests|days-expected|days-expected-counted)\.sql$/.test(name))
    .toSorted()
  const [before, change, recount] = await Promise.all(files.map(name => readFile(join(folder, name), 'utf8')))
  const [counting] = /create or replace function count_participation[^]+?^end \$\$;/m.exec(before!)!
  const { id } = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST' })
  const leave = async () => {
    const tester = await t.signUp('TESTER')
    const { id: testId } = await joinedBy(tester, id)
    return () => tester.call('POST', `/testers/campaign-testers/${testId}/leave`)
  }
  const leaving = [await leave(), await leave()]
  // No job runs, so nothing corrects what was counted the old way.
  clock.setOffsetMs(clock.offsetMs() + 3 * 86_400_000)
  const beside = await connectBeside(t)
  try {
    await beside.query(counting)
    await leaving[0]!()
    await foldFigures.run({})
    await leaving[1]!()
    const expected = async () =>
      (await t.look<{ days: number }>('select sum(check_ins_expected)::int as days from developer_months'))[0]!.days
    const had = await expected()
    await beside.query(change!)
    await beside.query(`begin; ${recount}; commit`)
    expect(await expected()).toBe(had - 2 * 3)
    // Applying it again, such as after a server was stopped in between, changes nothing.
    await beside.query(`begin; ${recount}; commit`)
    expect(await expected()).toBe(had - 2 * 3)
    await checkFigures.run({})
    expect(await entries()).toEqual([])
  } finally {
    await beside.end()
  }
})
