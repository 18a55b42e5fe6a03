/** The report over HTTP: built from recorded facts, for the campaign's owner and admins, as JSON, PDF and CSV. */
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { hoursBetween } from '../../kit/clock.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { CampaignTester } from '../../participations/contract.ts'
import { daysAndProof, joinedBy, liveCampaign, password } from '../../testing/app.ts'
import { atOnce } from '../../testing/observed.ts'
import { readPdf } from '../../testing/pdfs.ts'
import { allSignedUp, signedUp, testApp } from '../../testing/prologue.ts'
import type { Report } from '../contract.ts'
import { reportPdf } from './pdf.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const stranger = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')
const people = allSignedUp(t, 'TESTER', 3)

const title = 'Łódź şehir notes'
const polishNote = '=SUM(A1) from Łukasz Şahin: “search forgets”'

const campaignWithNotes = async (note = polishNote) => {
  const campaign = await liveCampaign(developer, admin, {
    title,
    accessMode: 'EMAIL_LIST',
    testersRequired: 2,
    features: ['Search', 'Share'],
  })
  const ids: string[] = []
  for (const person of people.slice(0, 2)) ids.push((await joinedBy(person, campaign.id)).id)
  for (const [index, id] of ids.entries()) {
    const checkedIn = people[index]!
    expect((await checkedIn.call('POST', `/testers/campaign-testers/${id}/opt-in`, {})).status).toBeLessThan(300)
  }
  const body = { note }
  expect((await people[0]!.call('POST', `/testers/campaign-testers/${ids[0]}/check-ins`, body)).status).toBe(201)
  await t.look(`update check_ins set minutes = 12, features = '{Search,Gone}' where participation_id = $1`, [ids[0]])
  await people[1]!.call('POST', `/testers/campaign-testers/${ids[1]}/leave`)
  await joinedBy(people[2]!, campaign.id)
  return { id: campaign.id, ids }
}

test('the report contains runs, drop-outs and replacements, engagement, features, devices and notes as they were recorded', async () => {
  const { id, ids } = await campaignWithNotes()
  const { status, body } = await developer.call<Report>('GET', `/campaigns/${id}/report`)
  expect(status).toBe(200)
  expect(body.campaign).toMatchObject({ title, accessMode: 'EMAIL_LIST', testersRequired: 2, payPerTesterCents: 1000 })
  expect(body.testers).toMatchObject([
    { id: ids[0], alias: 'Tester 1', runs: [{ endedAt: null, ended: null }], counts: true, daysCheckedIn: 1 },
    { id: ids[1], runs: [{ ended: 'LEFT', days: 0 }], counts: false, daysCheckedIn: 0, features: [] },
    { alias: 'Tester 3', runs: [], counts: false },
  ])
  expect(body.testers[0]!.features).toEqual(['Search'])
  expect(body.dropOuts).toMatchObject([{ alias: 'Tester 2', how: 'LEFT', replacedBy: { alias: 'Tester 3' } }])
  expect(body.engagement).toEqual([{ day: body.writtenAt.slice(0, 10), checkIns: 1, minutes: 12 }])
  expect(body.features).toEqual([
    { feature: 'Search', testers: ['Tester 1'] },
    { feature: 'Share', testers: [] },
  ])
  expect(body.devices).toEqual([{ device: 'Google Pixel 8', testers: 3 }])
  expect(body.osVersions).toEqual([{ version: '14', testers: 3 }])
  expect(body.notes).toMatchObject([{ alias: 'Tester 1', note: polishNote }])
  expect(body.answers).toHaveLength(10)
  expect(body.answers[0]!.draft).toContain('The testers are paid: $10.00 each')
  expect(body.answers.every(({ mostCharacters }) => mostCharacters === 300)).toBe(true)
})

test('a check-in without a note has no note, and check-ins that have been deleted for their age are said to be gone', async () => {
  const { id, ids } = await campaignWithNotes('')
  const emptied = await developer.call<Report>('GET', `/campaigns/${id}/report`)
  expect(emptied.body).toMatchObject({ engagement: [{ checkIns: 1 }], notes: [] })
  await t.look(`update check_ins set note = '' where participation_id = $1`, [ids[0]])
  expect((await developer.call<Report>('GET', `/campaigns/${id}/report`)).body.notes).toEqual([])

  // The report says since when check-ins are kept if the campaign can have had some before.
  const keptFrom = async () => (await developer.call<Report>('GET', `/campaigns/${id}/report`)).body.checkInsKeptFrom
  // The day after the only check-in, in UTC; nobody else has one.
  const [{ day, next }] = (await t.look<{ day: string; next: string }>(
    `select to_char(last_check_in_day, 'YYYY-MM-DD') as day, to_char(last_check_in_day + 1, 'YYYY-MM-DD') as next
      from participations where id = $1`,
    [ids[0]],
  )) as [{ day: string; next: string }]
  const gone = (name: string, parent: string, from: string | null, until: string) =>
    t.look(
      `insert into past_partitions (name, parent, from_day, until_day, leaving_since) values ($1, $2, $3, $4, now())`,
      [name, parent, from, until],
    )
  await gone('other_table', 'audit_log', null, next)
  // A tester’s own day can begin before it does in UTC, so two days before the first one joined count.
  await gone('before_all', 'check_ins', null, '2020-02-01')
  await gone('after_all', 'check_ins', next, '2099-02-01')
  expect(await keptFrom()).toBeNull()
  await gone('at_its_start', 'check_ins', null, day)
  expect(await keptFrom()).toBe(day)
  await gone('its_days', 'check_ins', day, next)
  expect(await keptFrom()).toBe(next)
  await t.look('delete from past_partitions')
  await developer.call('POST', `/campaigns/${id}/cancel`)
})

test('a day whose opt-in an admin voided is not in the report, nor is what was said on it', async () => {
  const { id, ids } = await campaignWithNotes()
  const reason = 'Play Console shows nobody.'
  await developer.call('POST', `/campaign-testers/${ids[0]}/contest-opt-in`, { reason })
  const decision = { decision: 'VOID', note: 'Nobody was there.' }
  expect((await admin.call('POST', `/admin/campaign-testers/${ids[0]}/decide-opt-in`, decision)).status).toBe(200)
  const { body } = await developer.call<Report>('GET', `/campaigns/${id}/report`)
  expect(body.testers[0]).toMatchObject({ daysCheckedIn: 0, features: [] })
  expect(body).toMatchObject({ engagement: [], notes: [] })
})

test('the device of a deleted account is not kept, and counts as no model', async () => {
  const campaign = await liveCampaign(developer, admin)
  const [gone, stays] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  const { id } = await joinedBy(gone, campaign.id)
  await joinedBy(stays, campaign.id)
  await gone.call('POST', `/testers/campaign-testers/${id}/leave`)
  expect((await gone.call('DELETE', '/users/me', { password })).status).toBe(204)
  const { body } = await developer.call<Report>('GET', `/campaigns/${campaign.id}/report`)
  expect(body.devices).toEqual([{ device: 'Google Pixel 8', testers: 1 }])
  expect(body.testers.map(({ device }) => device.model)).toEqual([null, 'Pixel 8'])
  const csv = (await download(`/campaigns/${campaign.id}/report.csv`, developer.accessToken)).body
  expect(csv).toMatch(/Tester 1.*Device.*not kept/)
  expect(csv).not.toContain('Deleted')
})

test('the settings limit the drafts', async () => {
  const { id } = await campaignWithNotes()
  expect((await admin.call('PATCH', '/admin/settings', { answerCharacters: 110 })).status).toBe(200)
  const { body } = await developer.call<Report>('GET', `/campaigns/${id}/report`)
  expect(body.answers.every(({ mostCharacters, characters }) => mostCharacters === 110 && characters <= 110)).toBe(true)
  await admin.call('PATCH', '/admin/settings', { answerCharacters: 300 })
})

const download = (path: string, token: string) =>
  t.app.inject({ method: 'GET', url: `/api/v1${path}`, headers: { authorization: `Bearer ${token}` } })

/** The text of all compressed streams in a PDF. */
const streamsOf = (pdf: Buffer): string[] => {
  const texts: string[] = []
  for (let at = pdf.indexOf('stream\n'); at >= 0; at = pdf.indexOf('stream\n', at + 7)) {
    const end = pdf.indexOf('\nendstream', at)
    try {
      texts.push(inflateSync(pdf.subarray(at + 7, end)).toString('latin1'))
    } catch {
      // It was the end of "endstream", or a stream that is not compressed.
    }
  }
  return texts
}

test('the PDF contains the letters of its own font, including Ł and ş', async () => {
  const { id } = await campaignWithNotes()
  const reply = await download(`/campaigns/${id}/report.pdf`, developer.accessToken)
  expect(reply.statusCode).toBe(200)
  expect(reply.headers['content-type']).toBe('application/pdf')
  expect(reply.headers['content-disposition']).toBe('attachment; filename="report.pdf"')
  expect(reply.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  const unicode = streamsOf(reply.rawPayload).filter(
    text => text.includes('beginbfrange') || text.includes('beginbfchar'),
  )
  for (const letter of ['Ł', 'ş', 'ź', '“']) {
    const code = letter.codePointAt(0)!.toString(16).padStart(4, '0')
    expect([letter, unicode.some(text => text.toLowerCase().includes(`<${code}>`))]).toEqual([letter, true])
  }
})

test('the PDF of a campaign that nobody has joined has a sentence below each heading, like the page', async () => {
  const { id } = await liveCampaign(developer, admin, { title })
  const { body: report } = await developer.call<Report>('GET', `/campaigns/${id}/report`)
  const textOf = async (of: Report) => (await readPdf(await reportPdf(of))).pages.join(' ')
  const empty = await textOf(report)
  for (const section of [
    'Testers and their runs Nobody has joined yet.',
    'Engagement per day Nobody has checked in yet.',
    'Devices and system versions Nobody has joined yet.',
    'Check-in notes Nobody has left a note yet.',
  ])
    expect(empty).toContain(section)
  expect(empty).toContain('check-ins and their notes have the day of each tester’s own time zone')
  const deleted = await textOf({ ...report, checkInsKeptFrom: '2026-11-02' })
  for (const heading of ['Engagement per day', 'Check-in notes'])
    expect(deleted).toContain(`${heading} Check-in details from before Nov 2, 2026 were deleted`)
  expect(deleted).not.toMatch(/Nobody has (checked in|left a note)/)
})

test('while a long PDF is drawn other requests get their turn, and while two are drawn a third has to wait', async () => {
  const { id } = await campaignWithNotes()
  const report = (await developer.call<Report>('GET', `/campaigns/${id}/report`)).body
  const notes = Array.from({ length: 2_000 }, (_, index) => ({ ...report.notes[0]!, note: `Note ${index}` }))
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  await reportPdf({ ...report, notes })
  clearInterval(counting)
  expect(turns).toBeGreaterThan(10)
  const path = `/campaigns/${id}/report.pdf`
  // Asks for more than three times as many as may be drawn at once, because a busy machine may finish one before the next request
  // arrives.
  const codes = await atOnce(8, async () => (await download(path, developer.accessToken)).statusCode)
  expect(codes.filter(code => code === 200).length).toBeGreaterThan(1)
  expect(new Set(codes)).toEqual(new Set([200, 429]))
  expect((await download(path, developer.accessToken)).statusCode).toBe(200)
})

test('the PDF spells out letters that its font lacks, and says so; the CSV keeps them', async () => {
  const { id } = await campaignWithNotes('日本語 مرحبا 👩‍🔬 ok')
  const pdf = await download(`/campaigns/${id}/report.pdf`, developer.accessToken)
  expect(pdf.statusCode).toBe(200)
  const unicode = streamsOf(pdf.rawPayload)
    .filter(text => text.includes('beginbf'))
    .join('')
    .toLowerCase()
  expect(unicode).not.toContain('<65e5>')
  expect((await download(`/campaigns/${id}/report.csv`, developer.accessToken)).payload).toContain('日本語 مرحبا 👩‍🔬 ok')
})

test('the CSV is a download in UTF-8 without formulas, and describes in words the campaign, its testers, their runs and their bugs', async () => {
  const { id } = await campaignWithNotes()
  const bug = { title: 'Closes', severity: 'HIGH', steps: 'Open it.', actual: 'It closes.' }
  expect((await people[0]!.call('POST', `/campaigns/${id}/bugs`, bug)).status).toBe(201)
  const reply = await download(`/campaigns/${id}/report.csv`, developer.accessToken)
  expect(reply.headers['content-type']).toContain('text/csv')
  expect(reply.headers['content-disposition']).toBe('attachment; filename="report.csv"')
  expect(reply.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
  expect(reply.payload).toContain(`'${polishNote}`)
  const lines = reply.payload.split('\r\n').map(line => line.replace(/\d{4}-[^,]+/g, 'AT'))
  for (const line of [
    'Campaign,,,Status,Live',
    'Campaign,,,Access,"Closed test, with an email list"',
    'Testers,Tester 1,AT,Joined,Active',
    'Testers,Tester 2,AT,Joined,Dropped',
    'Runs,Tester 2,AT,Run ended,left the test',
    'Drop-outs,Tester 2,AT,left,',
    'Bugs,Tester 1,AT,#1 Closes,Open',
    'Bugs,Tester 1,,#1 severity,High',
  ])
    expect(lines).toContain(line)
  expect(reply.payload).not.toMatch(/,[A-Z]{3,}(_[A-Z]+)*\r/)
})

test('the owner and admins can read the report; other developers do not find it, and testers may not read it', async () => {
  const { id } = await campaignWithNotes()
  for (const end of ['report', 'report.pdf', 'report.csv']) {
    const path = `/campaigns/${id}/${end}`
    expect([end, (await download(path, admin.accessToken)).statusCode]).toEqual([end, 200])
    expect([end, (await download(path, stranger.accessToken)).statusCode]).toEqual([end, 404])
    expect([end, (await download(path, people[0]!.accessToken)).statusCode]).toEqual([end, 403])
  }
})

// Runs last, because it advances the clock beyond the lifetime of the tokens above.
test('the report says when a campaign completed and when a rejection was made; the campaign counts who joined', async () => {
  const { id } = await liveCampaign(developer, admin, { title: 'Short', durationDays: 1, testersRequired: 2 })
  const tester = await t.signUp('TESTER')
  const { id: testId } = await joinedBy(tester, id)
  await daysAndProof(t, [{ person: tester, participationId: testId }], 1)
  const reason = 'The proof speaks of none of the screens of our app.'
  const rejected = await developer.call<CampaignTester>('POST', `/campaign-testers/${testId}/reject`, {
    code: 'NO_EVIDENCE_OF_TESTING',
    reason,
  })
  expect(rejected.status).toBe(200)
  // After the appeal period the seat was free, but the campaign had ended already, so it completed.
  await t.advance(73)
  const { body: campaign } = await developer.call<Campaign>('GET', `/campaigns/${id}`)
  expect([campaign.status, campaign._count]).toEqual(['COMPLETED', { campaignTesters: 0, joined: 1, verified: 0 }])
  expect(hoursBetween(campaign.endDate!, campaign.endedAt!)).toBeGreaterThan(24)
  const { body } = await developer.call<Report>('GET', `/campaigns/${id}/report`)
  expect(body.campaign).toMatchObject({ status: 'COMPLETED', endedAt: campaign.endedAt })
  expect(body.dropOuts).toMatchObject([{ how: 'REJECTED', at: rejected.body.review?.decidedAt, replacedBy: null }])
})

test('a campaign that was cancelled early shows that time as its end', async () => {
  const { id, endDate } = await liveCampaign(developer, admin, { title: 'Early', durationDays: 3 })
  await t.advance(1)
  const { body: campaign } = await developer.call<Campaign>('POST', `/campaigns/${id}/cancel`)
  expect(campaign).toMatchObject({ status: 'CANCELLED', endDate })
  expect(hoursBetween(campaign.endedAt!, endDate!)).toBeGreaterThan(70)
  const { body } = await developer.call<Report>('GET', `/campaigns/${id}/report`)
  expect(body.campaign).toMatchObject({ status: 'CANCELLED', endDate, endedAt: campaign.endedAt })
})
