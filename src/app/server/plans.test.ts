/**
 * Every statement of the product is served by an index: no table that grows is read from end to end. The walk makes every call in
 * every role that may, with each filter, and takes a test from joining to its payout. PostgreSQL reports the plan of each
 * statement, including those inside SQL functions and of foreign keys. It is made to believe that tables are large, and reads one
 * whole only if no index helps.
 */
import { topicsOf } from '../../notifications/topics.ts'
import { beforeAll, expect, test } from 'vitest'
import {
  daysAndProof,
  device,
  draftOf,
  fundedBy,
  joinedBy,
  liveCampaign,
  password,
  type Person,
} from '../../testing/app.ts'
import { roles } from '../../kit/roles.ts'
import type { FeedbackForm } from '../../feedback/contract.ts'
import { signAccessToken } from '../../kit/server/session.ts'
import { type Fixtures, fixturesOf } from '../../testing/fixtures.ts'
import { connectBeside } from '../../testing/observed.ts'
import { listenToPlans, type Listener, tellPlans } from '../../testing/plans.ts'
import { testApp } from '../../testing/prologue.ts'
import { queriesOf } from '../../testing/queries.ts'
import { everyStep } from '../../testing/walk.ts'
import { plannedForValues, pretendSize, type WholeRead, wholeReadsOf } from '../../testing/wholeReads.ts'

/** Makes a plan use an index wherever one helps: nothing else looks cheaper than the rows of one key. */
const withoutDetours = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
}

let listener: Listener
const t = testApp(
  { JWT_SECRET: 'the secret of the walk through every statement' },
  {
    via: async url => {
      await pretendSize(url)
      await tellPlans(url, { analyze: false, settings: withoutDetours })
      listener = listenToPlans()
      return url
    },
  },
)

let fixtures: Fixtures
const uuid = '019e8a00-0000-7000-8000-000000000000'
const examples = {
  search: ['notes', 'no', 'n'],
  admin: ['adm'],
  page: ['2'],
  cursor: [uuid, '1042', `1794787200000000.${uuid}`],
  campaignId: [uuid],
  originalsFor: [uuid],
  month: ['2026-11'],
  year: ['2026'],
  from: ['2026-11-01'],
  to: ['2026-11-30'],
  ids: [uuid],
}

const tokenOf = ({ user: { id, role } }: Person) => signAccessToken({ id, role, sessionId: uuid })

/** Every call, with an object of the caller's own if it takes one. */
const walk = async () => {
  const { body: document } = await t.call<never>('GET', '/openapi.json')
  for (const step of everyStep) {
    const { method, path } = step.endpoint
    for (const role of step.allowed) {
      const token = await tokenOf(fixtures.people[role])
      for (const query of method === 'GET' ? queriesOf(document, path, examples) : ['']) {
        await t.call(method, fixtures.ownPath(step, role) + query, { token, body: step.body })
      }
    }
  }
}

/** From the tester list to the payout, including what goes wrong on the way. */
const live = async () => {
  const { DEVELOPER: developer, ADMIN: admin } = fixtures.people
  await developer.call('PUT', '/users/me/notification-choices', {
    choices: topicsOf('DEVELOPER').map(topic => ({ topic, delivery: 'DAILY' })),
  })
  const closedTest = await liveCampaign(developer, admin, { accessMode: 'EMAIL_LIST', testersRequired: 2 })
  const open = await liveCampaign(developer, admin, { durationDays: 1, testersRequired: 3 })
  const question = { kind: 'RATING', text: 'How good is it?', required: false }
  const form = await developer.call<FeedbackForm>('PUT', `/campaigns/${open.id}/feedback-form`, {
    questions: [question],
  })
  const testers = await Promise.all(Array.from({ length: 5 }, () => t.signUp('TESTER')))
  const [ann, bob, cem, dora, eve] = testers as [Person, Person, Person, Person, Person]
  for (const person of [ann, bob]) {
    const { id } = await joinedBy(person, closedTest.id)
    for (const action of ['open-link', 'opt-in'])
      await person.call('POST', `/testers/campaign-testers/${id}/${action}`, {})
    await developer.call('POST', `/campaign-testers/${id}/contest-opt-in`, { reason: 'Play Console shows one fewer.' })
    await admin.call('POST', `/admin/campaign-testers/${id}/decide-opt-in`, { decision: 'CLEAR', note: 'It is there.' })
    await person.call('POST', `/testers/campaign-testers/${id}/check-ins`, {})
  }
  await developer.call('POST', `/campaigns/${closedTest.id}/tester-list/export?form=play`)
  await developer.call('POST', `/campaigns/${closedTest.id}/tester-list/confirm`)
  const waiting = { deviceInfo: device, waitlist: true, playEmail: 'waits@gmail.com', consent: true }
  for (const person of [cem, dora]) await person.call('POST', `/testers/campaigns/${closedTest.id}/join`, waiting)
  const joined = await Promise.all(
    [cem, dora, eve].map(async person => ({ person, participationId: (await joinedBy(person, open.id)).id })),
  )
  const answers = { [form.body.questions[0]!.id]: 4 }
  await cem.call('POST', `/testers/campaign-testers/${joined[0]!.participationId}/feedback`, { version: 1, answers })
  await daysAndProof(t, joined, 1)
  const [verified, returned, rejected] = joined.map(({ participationId }) => participationId)
  await developer.call('POST', `/campaign-testers/${verified}/verify`)
  await developer.call('POST', `/campaign-testers/${returned}/request-changes`, { note: 'Please add a picture.' })
  await developer.call('POST', `/campaign-testers/${rejected}/reject`, {
    code: 'OTHER',
    reason: 'It is of another app than the one to test.',
  })
  await eve.call('POST', `/testers/campaign-testers/${rejected}/appeal`, {
    reason: 'It is of this app, see the picture.',
  })
  await admin.call('POST', `/admin/campaign-testers/${rejected}/decide-appeal`, {
    decision: 'UPHOLD',
    note: 'It is not.',
  })
  await cem.call('POST', '/testers/withdraw', { amountCents: 1000 })
  const [first] = await t.look<{ id: string }>('select id from participations where tester_id = $1', [ann.user.id])
  await ann.call('POST', `/testers/campaign-testers/${first!.id}/opt-out`)
  await ann.call('POST', `/testers/campaign-testers/${first!.id}/leave`)
  await t.advance(25)
  await cem.call('POST', `/testers/campaigns/${open.id}/join`, waiting)
  await t.advance(60)
  await developer.call('POST', `/campaigns/${closedTest.id}/close-seat`)
  await admin.call('POST', `/admin/users/${eve.user.id}/ban`, { reason: 'Several accounts on one device.' })
  await admin.call('POST', '/admin/fraud-scan/trigger')
  await developer.call('POST', `/campaigns/${closedTest.id}/cancel`)
  await admin.call('POST', `/admin/campaigns/${(await fundedBy(developer)).id}/reject`, { reason: 'The link is dead.' })
  await developer.call('PATCH', `/campaigns/${(await draftOf(developer)).id}`, { testersRequired: 2 })
  for (const hours of [80, 24 * 40]) await t.advance(hours)
}

/** The walk gives a wrong password here, so that its users are not deleted. */
const leave = async () => {
  for (const role of roles) {
    const person = await t.signUp(role)
    expect((await person.call('DELETE', '/users/me', { password })).status).toBe(204)
  }
}

beforeAll(async () => {
  fixtures = await fixturesOf(t)
})

/** Reads that are allowed on purpose: how the statement or node begins, and why. */
const allowed: Record<string, string> = {
  'Index Scan campaigns campaigns_pkey (platform =': 'every second or third campaign is one of a platform',
  "Index Scan campaigns campaigns_pkey (POSITION(('n": 'a letter or two that nearly all have are found soon on the way',
  "Index Scan waitlist waitlist_pkey (POSITION(('n": 'a letter or two that nearly all have are found soon on the way',
  "Index Scan campaigns campaigns_pkey (search_text ~~ '%notes%'": 'a word that the titles of nearly all fixtures have',
  "Index Scan users users_present (POSITION(('n": 'a letter or two that nearly all have are found soon on the way',
  'Index Scan fraud_reports fraud_reports_listed ((kind =':
    'a letter or two that nearly all have are found soon on the way',
  'Index Scan campaigns campaigns_with_room': 'a tester may join nearly all that have room, so a page is full soon',
  'Index Scan sessions sessions_in_use (expires_at': 'begins with the last used, of which few have expired',
  'select severity, status, is_sample as "isSample", count(*)': 'has what no admin has archived yet',
  "select 'return:' || id as key": 'what the sandbox says has happened, where no money is real',
  'select max(day)::date::text as day from check_ins_later': 'holds only what no month was made for',
  'select max(at)::date::text as day from audit_log_later': 'holds only what no month was made for',
  'select count(*) from (select from audit_log a where true limit': 'ends at its limit; the months made here are empty',
  'select key from unsubscribe_keys': 'has a row for each signing key',
  'Seq Scan fraud_scan_progress': 'has a row for each detector',
  'Seq Scan user_events_forgotten': 'has one row',
  'Seq Scan check_results': 'has a row for each check',
  'Seq Scan lost_returns': 'holds only what came back of before a restore, until it is paid again',
  'Seq Scan money_changes': 'holds only what the next check of the money takes and deletes',
  'Seq Scan provider_cash': 'has one row',
  'Index Only Scan provider_cash': 'has one row',
  'update fraud_reports set archived_at': 'clearing archives all of them',
  'Seq Scan mail_trouble': 'has a row for each server',
  'Index Scan mail_trouble': 'has a row for each server',
  'select exists (select from (select substring(secret from 2':
    'ends at the first row, at a first start, where nothing is encrypted yet',
  'Seq Scan job_pauses': 'has a row for each pause of the jobs',
  'Index Scan money_check_states': 'has a row for each check',
  'Index Scan money_breaches money_breaches_pkey': 'the last ones, in the order of their ids',
  'Seq Scan figure_changes': 'holds only what the next roll-up takes in and deletes',
  'with missing as': 'the nightly check of the roll-ups against the full count',
  'SELECT count_revenue_of': 'the nightly check of the roll-ups against the full count',
}

const isAllowed = ({ statement, node }: WholeRead) =>
  Object.keys(allowed).some(start => statement.startsWith(start) || node.startsWith(start))

test('no statement reads a growing table from end to end', async () => {
  await live()
  await walk()
  await leave()
  const { planned } = listener.taken()
  listener.stop()
  const db = await connectBeside(t)
  for (const [name, value] of Object.entries(withoutDetours)) await db.query(`set ${name} = '${value}'`)
  await db.query(`set plan_cache_mode = 'force_custom_plan'`)
  const wholeReads = await wholeReadsOf(db, await plannedForValues(db, planned, listener.unprepared()))
  await db.end()
  expect(planned.length).toBeGreaterThan(1000)
  expect(wholeReads.filter(read => !isAllowed(read))).toEqual([])
}, 120_000)
