/** Check-ins and the audit log are partitioned by month (decision 050). */
import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import type { PersonalData } from '../../accounts/contract.ts'
import { archiveStorage, fileContent, filesAmong, filesSince } from '../../attachments/server/attachments.ts'
import { clock, type Day, dayAfter, hoursAfter, hoursBetween, type Instant, monthsAfter } from '../../kit/clock.ts'
import { during, jobLimits, workOf } from '../../kit/server/limits.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import type { Report } from '../../reports/contract.ts'
import { daysAndProof, frozen, joinedBy, liveCampaign, type Person, type TestApp } from '../../testing/app.ts'
import { brokenChecks } from '../../testing/observed.ts'
import { picture } from '../../testing/pictures.ts'
import { testApp } from '../../testing/prologue.ts'
import { uploaded } from '../../testing/uploads.ts'
import { finishLettingGo, letOldGo } from './lettingGo.ts'
import { makePartitions } from './monthsAhead.ts'

const t = testApp({}, { fresh: true, own: true })

const asJob = (job: { run: (input: object) => Promise<void> }) => during(workOf('jobs', jobLimits), () => job.run({}))

type Bounds = { name: string; from: Day | null; until: Day | null }
const partitionsOf = async (table: string) =>
  (
    await t.look<{ name: string; bounds: string }>(
      `select inhrelid::regclass::text as name, pg_get_expr(relpartbound, c.oid) as bounds
        from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = $1::regclass order by 2`,
      [table],
    )
  )
    .map(({ name, bounds }): Bounds => {
      const [, from] = /FROM \('(.{10})/.exec(bounds) ?? []
      const [, until] = /TO \('(.{10})/.exec(bounds) ?? []
      return { name, from: from ?? null, until: until ?? null }
    })
    .toSorted((a, b) => (a.from ?? '').localeCompare(b.from ?? ''))

const allOf = async <T>(things: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const thing of things) all.push(thing)
  return all
}

const startOf = (day: Day): Instant => `${day}T00:00:00.000Z`
/** Moves the clock in steps that are small enough for the test clock. */
const moveTo = async ({ advance }: TestApp, at: Instant) => {
  for (let hours = hoursBetween(clock.now(), at); hours > 0; hours -= 9000) await advance(Math.min(hours, 9000))
}

const people = async () => ({ developer: await t.signUp('DEVELOPER'), admin: await t.signUp('ADMIN') })

/** A two-day campaign that its only tester has completed. */
const completed = async (developer: Person, admin: Person) => {
  const { id } = await liveCampaign(developer, admin, { testersRequired: 1, durationDays: 2 })
  const person = await t.signUp('TESTER')
  const participationId = (await joinedBy(person, id)).id
  const attachmentId = (await uploaded(t, person, await picture())).id
  const first = { note: 'The list scrolls well.', attachmentId }
  expect((await person.call('POST', `/testers/campaign-testers/${participationId}/check-ins`, first)).status).toBe(201)
  await t.advance(24)
  await daysAndProof(t, [{ person, participationId }], 1)
  await developer.call('POST', `/campaign-testers/${participationId}/verify`)
  await t.advance(1)
  return { id, person, participationId }
}

/** Adds a check-in for that day and counts it in its test. */
const checkedIn = (participationId: string, day: Day) =>
  t.look(
    `with added as (insert into check_ins (participation_id, day, at) values ($1, $2, $2::date))
      update participations set check_in_count = check_in_count + 1, last_check_in_day = greatest($2, last_check_in_day)
      where id = $1`,
    [participationId, day],
  )
const placesOf = (participationId: string) =>
  t.look<{ place: string; day: Day }>(
    'select tableoid::regclass::text as place, day::text from check_ins where participation_id = $1 order by day',
    [participationId],
  )

describe('months', () => {
  test('exist three ahead of the present one, each row is in its own, and every check-in is found and exported', async () => {
    const { developer, admin } = await people()
    const { person, participationId } = await completed(developer, admin)
    await t.advance(24 * 100)
    const partitions = await partitionsOf('check_ins')
    const ahead = monthsAfter(startOf(`${clock.now().slice(0, 7)}-01`), 4).slice(0, 10)
    expect(partitions.at(-1)).toEqual({ name: 'check_ins_later', from: ahead, until: null })
    expect((await partitionsOf('audit_log')).at(-1)).toEqual({ name: 'audit_log_later', from: ahead, until: null })
    for (const [index, { until }] of partitions.slice(0, -1).entries()) expect(partitions[index + 1]!.from).toBe(until)
    const months = partitions.slice(1, -1)
    for (const { from, until } of months) {
      await checkedIn(participationId, from!)
      await checkedIn(participationId, dayAfter(until!, -1))
    }
    const expected = months.flatMap(({ name, from, until }) => [
      { place: name, day: from },
      { place: name, day: dayAfter(until!, -1) },
    ])
    expect((await placesOf(participationId)).slice(2)).toEqual(expected)
    expect(expected.length).toBeGreaterThan(4)
    const { body } = await person.call<PersonalData>('GET', '/users/me/export')
    expect(body.checkIns).toHaveLength(2 + expected.length)
    expect(await brokenChecks()).toEqual([])
  })

  test('that are missing break nothing: the check reports them, and the job turns the rows into one partition', async () => {
    const { developer, admin } = await people()
    const { participationId } = await completed(developer, admin)
    await asJob(makePartitions)
    const begins = (await partitionsOf('check_ins')).at(-1)!.from!
    const late = monthsAfter(startOf(begins), 2).slice(0, 10)
    await checkedIn(participationId, begins)
    await checkedIn(participationId, late)
    expect(await placesOf(participationId)).toContainEqual({ place: 'check_ins_later', day: late })
    expect((await brokenChecks()).map(({ check }) => check)).toEqual(['partitions.sql'])
    clock.setOffsetMs(Date.parse(startOf(late)) - Date.now())
    await asJob(makePartitions)
    const made = `check_ins_${begins.slice(0, 7).replace('-', '_')}`
    const end = monthsAfter(startOf(begins), 3).slice(0, 10)
    const ahead = monthsAfter(startOf(late), 4).slice(0, 10)
    expect(await partitionsOf('check_ins')).toContainEqual({ name: made, from: begins, until: end })
    expect((await partitionsOf('check_ins')).at(-1)).toEqual({ name: 'check_ins_later', from: ahead, until: null })
    expect((await placesOf(participationId)).slice(-2).map(({ place }) => place)).toEqual([made, made])
    expect(await brokenChecks()).toEqual([])
  })

  test('are created once by servers that begin at the same time', async () => {
    clock.setOffsetMs(100 * 24 * 3_600_000)
    await Promise.all([asJob(makePartitions), asJob(makePartitions)])
    const names = (await partitionsOf('audit_log')).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(4)
  })
})

describe('check-ins', () => {
  test('are deleted when the last campaign of their partition has been over for as long as the setting says, and not an hour before', async () => {
    const { developer, admin } = await people()
    await admin.call('PATCH', '/admin/settings', { goodwillInAllCents: 0 })
    const done = await completed(developer, admin)
    const open = await liveCampaign(developer, admin, { testersRequired: 1 })
    const appellant = await t.signUp('TESTER')
    const { id: appealed } = await frozen(t, appellant, open.id)
    await checkedIn(appealed, clock.now().slice(0, 10))
    const reason = 'It is of this app, see the picture.'
    expect((await appellant.call('POST', `/testers/campaign-testers/${appealed}/appeal`, { reason })).status).toBe(200)
    // Its campaign ends long before the appeal is decided.
    expect((await developer.call('POST', `/campaigns/${open.id}/cancel`)).status).toBe(200)
    const until = (await partitionsOf('check_ins'))[0]!.until!
    await moveTo(t, hoursAfter(monthsAfter(startOf(until), 24), 24))
    // The appeal is open, so the check-ins stay however old they are.
    expect(await placesOf(done.participationId)).toHaveLength(2)
    const decision = { decision: 'VERIFY', note: 'It is of this app.' }
    expect((await admin.call('POST', `/admin/campaign-testers/${appealed}/decide-appeal`, decision)).status).toBe(200)
    await t.advance(1)
    const [{ at }] = (await t.look<{ at: Instant }>('select closed_at as at from participations where id = $1', [
      appealed,
    ])) as [{ at: Instant }]
    // And another one ends an hour after that.
    await t.look('update campaigns set closed_at = $2 where id = $1', [done.id, hoursAfter(at, 1)])
    await moveTo(t, hoursAfter(monthsAfter(at, 24), -1))
    for (let hour = 0; hour < 2; hour++) {
      expect(await placesOf(done.participationId)).toHaveLength(2)
      await t.advance(1)
    }
    await t.advance(1)
    expect(await placesOf(done.participationId)).toEqual([])
    expect(await t.look(`select to_regclass('check_ins_first') as there`)).toEqual([{ there: null }])
    expect(await t.look(`select id from attachments where kind = 'CHECK_IN'`)).toEqual([])
    const days = await t.look<{ day: Day }>(
      'select unnest(days)::text as day from past_check_in_days where participation_id = $1',
      [done.participationId],
    )
    const { body: report } = await developer.call<Report>('GET', `/campaigns/${done.id}/report`)
    expect(report).toMatchObject({
      checkInsKeptFrom: until,
      engagement: days.map(({ day }) => ({ day, checkIns: 1, minutes: null })),
      notes: [],
      testers: [{ daysCheckedIn: 2 }],
    })
    const ownTest = `/testers/campaign-testers/${done.participationId}`
    const { body: whole } = await done.person.call<CampaignTester>('GET', ownTest)
    expect(whole.checkIns.map(({ day, note, attachment }) => ({ day, note, attachment }))).toEqual(
      days.map(({ day }) => ({ day, note: null, attachment: null })),
    )
    const { status, body } = await done.person.call<PersonalData>('GET', '/users/me/export')
    expect([status, body.checkIns.map(row => [row['day'], row['note']])]).toEqual([
      200,
      days.map(({ day }) => [day, null]),
    ])
    expect(await brokenChecks()).toEqual([])
  }, 60_000)

  test('whose partition a dying server had detached are continued from there', async () => {
    await t.look(`insert into past_partitions (name, parent, until_day, leaving_since)
      values ('check_ins_first', 'check_ins', '2020-01-01', now())`)
    // As long as everybody sees it, it stays until the night.
    await asJob(finishLettingGo)
    expect((await partitionsOf('check_ins'))[0]!.name).toBe('check_ins_first')
    await t.look('alter table check_ins detach partition check_ins_first')
    await asJob(letOldGo)
    expect(await t.look(`select to_regclass('check_ins_first') as there`)).toEqual([{ there: null }])
    expect(await t.look('select gone_at is not null as gone, row_count from past_partitions')).toEqual([
      { gone: true, row_count: 0 },
    ])
  })
})

test('days that a dying server had detached but not kept are back within the hour', async () => {
  const { developer, admin } = await people()
  const { id, participationId, person } = await completed(developer, admin)
  await t.look(
    `with voided as (insert into opt_in_runs (participation_id, campaign_id, started_at, confirmed_at, ended_at, end_reason)
        select id, campaign_id, joined_at, joined_at, joined_at, 'VOIDED' from participations where id = $1 returning id)
      update check_ins set run_id = voided.id from voided where participation_id = $1
        and day = (select min(day) from check_ins where participation_id = $1)`,
    [participationId],
  )
  await t.look(`insert into past_partitions (name, parent, until_day, leaving_since)
    values ('check_ins_first', 'check_ins', '2020-01-01', now())`)
  await t.look('alter table check_ins detach partition check_ins_first')
  // The server that died had kept one of them, with the days of a month before.
  await t.look(
    `insert into past_check_in_days (participation_id, days, run_ids)
      select participation_id, array['2020-01-01', min(day)], array[null, null]::bigint[] from check_ins_first
      where participation_id = $1 group by participation_id`,
    [participationId],
  )
  await t.advance(1)
  const kept = await t.look('select cardinality(days) as days from past_check_in_days where participation_id = $1', [
    participationId,
  ])
  expect(kept).toEqual([{ days: 3 }])
  // This includes the check-in whose opt-in was voided.
  const { body } = await person.call<CampaignTester>('GET', `/testers/campaign-testers/${participationId}`)
  expect(body.checkIns.map(({ voided }) => voided)).toEqual([true, undefined])
  const { body: report } = await developer.call<Report>('GET', `/campaigns/${id}/report`)
  expect(report.testers).toMatchObject([{ daysCheckedIn: 1 }])
})

test('days that were detached before check-ins named their opt-ins are kept, too', async () => {
  const { developer, admin } = await people()
  const { participationId } = await completed(developer, admin)
  await t.look(`insert into past_partitions (name, parent, until_day, leaving_since)
    values ('check_ins_first', 'check_ins', '2020-01-01', now())`)
  await t.look('alter table check_ins detach partition check_ins_first')
  await t.look('alter table check_ins_first drop column run_id')
  await asJob(finishLettingGo)
  const kept = await t.look(
    'select cardinality(days) as days, run_ids from past_check_in_days where participation_id = $1',
    [participationId],
  )
  expect(kept).toEqual([{ days: 2, run_ids: [null, null] }])
})

describe('the audit log', () => {
  const countOf = async () => Number((await t.look<{ n: string }>('select count(*) as n from audit_log'))[0]!.n)

  test('goes into the archive after the time in the settings and not an hour before, with a checksum, and nothing is lost', async () => {
    const { developer, admin } = await people()
    await liveCampaign(developer, admin)
    // More than are read at once.
    await t.look(`insert into audit_log select gen_random_uuid(), at, admin_id, action, subject_type, subject_id, facts
      from (select * from audit_log limit 1) entry, generate_series(1, 2001)`)
    const entries = await t.look<{ id: string }>('select id from audit_log order by id')
    expect(entries.length).toBeGreaterThan(2001)
    const until = (await partitionsOf('audit_log'))[0]!.until!
    await moveTo(t, hoursAfter(monthsAfter(startOf(until), 24), -1))
    expect(await countOf()).toBeGreaterThanOrEqual(entries.length)
    await t.advance(1)
    const left = await t.look<{ id: string }>('select id from audit_log')
    expect(left.map(({ id }) => id)).not.toContain(entries[0]!.id)
    const [gone] = await t.look<{ archive: string; sha256: Buffer; row_count: number }>(
      `select archive, sha256, row_count from past_partitions where parent = 'audit_log'`,
    )
    const file = await readFile(join(t.dataDir, 'archive', gone!.archive))
    expect(createHash('sha256').update(file).digest().equals(gone!.sha256)).toBe(true)
    // Backups include it.
    expect(await allOf(filesSince(clock.now()))).toEqual([gone!.archive])
    expect(await filesAmong([gone!.archive, 'stray.ndjson.gz'])).toEqual(new Set([gone!.archive]))
    expect(Buffer.concat(await allOf(await fileContent(gone!.archive)))).toEqual(file)
    const lines = gunzipSync(file).toString().trimEnd().split('\n')
    expect(lines).toHaveLength(gone!.row_count)
    const archived = lines.map(line => JSON.parse(line) as { id: string; action: string; facts: object })
    const kept = new Set(archived.map(({ id }) => id))
    expect(entries.filter(({ id }) => !kept.has(id))).toEqual([])
    expect(kept.size).toBe(archived.length)
    expect(archived[0]).toMatchObject({ action: expect.any(String), facts: expect.any(Object) })
    // An approved user stays approved.
    const { body } = await admin.call<{ data: { id: string; isVerified: boolean }[] }>(
      'GET',
      '/admin/users?role=DEVELOPER',
    )
    expect(body.data.find(({ id }) => id === developer.user.id)?.isVerified).toBe(true)
    expect(await brokenChecks()).toEqual([])
  }, 60_000)

  test('stays in the table as long as the archive cannot be written', async () => {
    const { developer, admin } = await people()
    await liveCampaign(developer, admin)
    const before = await countOf()
    clock.setOffsetMs(30 * 31 * 24 * 3_600_000)
    await writeFile(join(t.dataDir, 'archive'), 'in the way')
    await expect(asJob(letOldGo)).rejects.toThrow()
    expect(await countOf()).toBe(before)
    await rm(join(t.dataDir, 'archive'))
    // Nor does it leave while the archive gives back something else than was written.
    const spy = vi.spyOn(archiveStorage(), 'get').mockImplementation(async () => Readable.from([Buffer.from('other')]))
    await expect(asJob(letOldGo)).rejects.toThrow('gives back another')
    spy.mockRestore()
    expect(await countOf()).toBe(before)
    await asJob(letOldGo)
    expect(await countOf()).toBe(0)
  })

  test('is not dropped if it has other rows than those that were archived', async () => {
    await t.look(`insert into past_partitions (name, parent, until_day, leaving_since, archive, sha256, row_count)
      values ('audit_log_first', 'audit_log', '2020-01-01', now(), 'audit_log_first.ndjson.gz', sha256(''), 1)`)
    await t.look('alter table audit_log detach partition audit_log_first')
    await expect(asJob(finishLettingGo)).rejects.toThrow('audit_log_first has 0 rows, and 1 are archived.')
    expect(await t.look(`select to_regclass('audit_log_first') is not null as there`)).toEqual([{ there: true }])
  })

  test.each(['audit_log', 'audit_log_first', 'audit_log_later', 'audit_log_month'])(
    'refuses every change, even through %s',
    async table => {
      await t.advance(24 * 70)
      const name = table.endsWith('month') ? (await partitionsOf('audit_log'))[1]!.name : table
      for (const statement of [`delete from ${name}`, `update ${name} set at = at`, `truncate ${name}`]) {
        await expect(t.look(statement)).rejects.toThrow('append-only')
      }
    },
  )
})
