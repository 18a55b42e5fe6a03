/** Each change writes an event, in its own transaction, for every user whose screens show it. */
import { expect, test } from 'vitest'
import {
  daysAndProof,
  device,
  frozen,
  joinedBy,
  liveCampaign,
  paidTester,
  password,
  type Person,
} from '../../testing/app.ts'
import { disputesIn } from '../../testing/disputes.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { eventsOf } from '../../testing/streams.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

type Made = { id: string }
const post = async (person: Person, path: string, body: object = {}): Promise<Made> => {
  const answer = await person.call<Made>('POST', path, body)
  expect([answer.status, answer.body]).toMatchObject([expect.toSatisfy((status: number) => status < 300), {}])
  return answer.body
}

/**
 * The events from now on, each as "TOPIC subject". Waits until everything committed before is visible, because transactions of
 * other databases of this PostgreSQL may hold events back for a moment.
 */
const since = async (person: Person) => {
  const [now] = await t.look<{ tx: string }>('select pg_current_xact_id()::text as tx')
  let cursor = ''
  const isPast = async () => {
    ;({ cursor } = await eventsOf(person, ''))
    return BigInt(cursor.split('-')[0]!) > BigInt(now!.tx)
  }
  await expect.poll(isPast, { timeout: 20_000 }).toBe(true)
  const heard = async () =>
    (await eventsOf(person, `?after=${cursor}`)).events.map(({ topic, subjectId }) =>
      `${topic} ${subjectId ?? ''}`.trim(),
    )
  return {
    heard,
    hears: async (event: string) => {
      await expect.poll(heard, { timeout: 20_000 }).toContain(event)
    },
  }
}
const live = async (terms: object = {}, testers = 1) => {
  const { id } = await liveCampaign(developer, admin, { durationDays: 1, ...terms })
  const people = await Promise.all(Array.from({ length: testers }, () => t.signUp('TESTER')))
  const seats = []
  for (const person of people) seats.push({ person, id: (await joinedBy(person, id)).id })
  return { id, seats, first: seats[0]! }
}

test('a proof and its decision reach the roster, the review queue, the tester’s test, balance and notifications', async () => {
  const { id, first } = await live()
  const owner = await since(developer)
  await daysAndProof(t, [{ person: first.person, participationId: first.id }], 1)
  await owner.hears(`CAMPAIGN ${id}`)
  const tester = await since(first.person)
  await post(developer, `/campaign-testers/${first.id}/verify`)
  for (const event of [`TEST ${first.id}`, 'MONEY', 'NOTICES']) await tester.hears(event)
})

test('what one admin does reaches the audit log of another one', async () => {
  const colleague = await since(await t.signUp('ADMIN'))
  const words = { subject: 'Hello', message: 'How are you?' }
  await post(admin, `/admin/users/${developer.user.id}/message`, words)
  await colleague.hears('QUEUE')
})

test('a pause reaches all who are inside, and nobody who has left or is in another campaign', async () => {
  const { id, seats } = await live({}, 2)
  await post(seats[1]!.person, `/testers/campaign-testers/${seats[1]!.id}/leave`)
  const { first: elsewhere } = await live()
  const [inside, outside] = [await since(seats[0]!.person), await since(seats[1]!.person)]
  const stranger = await since(elsewhere.person)
  await post(developer, `/campaigns/${id}/pause`)
  await inside.hears(`TEST ${seats[0]!.id}`)
  expect([await outside.heard(), await stranger.heard()]).toEqual([[], []])
})

test('a silent tester shows on the roster, and being put on the list shows in the tester’s test', async () => {
  const { id, first } = await live({ durationDays: 14, accessMode: 'EMAIL_LIST', testersRequired: 12 })
  const tester = await since(first.person)
  await developer.call('POST', `/campaigns/${id}/tester-list/export?form=play`)
  await post(developer, `/campaigns/${id}/tester-list/confirm`)
  await tester.hears(`TEST ${first.id}`)
  const open = await live({ durationDays: 14 })
  const owner = await since(developer)
  await t.advance(49)
  await owner.hears(`CAMPAIGN ${open.id}`)
})

test('that the developer has applied to Google reaches current and verified testers, who may opt out now', async () => {
  const { id, seats } = await live({ durationDays: 14, accessMode: 'EMAIL_LIST', testersRequired: 12 }, 3)
  const [inside, verified, gone] = seats as [(typeof seats)[0], (typeof seats)[0], (typeof seats)[0]]
  await t.look(`update participations set status = 'VERIFIED', closed_at = now(), wake_at = null where id = $1`, [
    verified.id,
  ])
  await post(gone.person, `/testers/campaign-testers/${gone.id}/leave`)
  const heard = []
  for (const { person } of [inside, verified, gone]) heard.push(await since(person))
  await post(developer, `/campaigns/${id}/applied`)
  await heard[0]!.hears(`TEST ${inside.id}`)
  await heard[1]!.hears(`TEST ${verified.id}`)
  expect(await heard[2]!.heard()).toEqual([])
})

test('a bug and everything said and decided about it reach its reporter and the developer, and no other tester', async () => {
  const { id, seats } = await live({}, 2)
  const [reporter, other] = [seats[0]!.person, seats[1]!.person]
  const [owner, own, bystander] = [await since(developer), await since(reporter), await since(other)]
  const bug = await post(reporter, `/campaigns/${id}/bugs`, {
    title: 'Search crashes',
    severity: 'HIGH',
    steps: 'Search for a long word.',
    expected: 'A list.',
    actual: 'The app closes.',
    appVersion: '1.1',
  })
  await owner.hears(`BUG ${bug.id}`)
  await post(developer, `/bugs/${bug.id}/comments`, { text: 'On which device?' })
  await expect.poll(async () => (await own.heard()).filter(event => event === `BUG ${bug.id}`).length).toBe(2)
  expect(await bystander.heard()).toEqual([])
  const [again, inside] = [await since(reporter), await since(other)]
  await post(developer, `/campaigns/${id}/changes`, { version: '1.2', changes: [{ text: 'Fixed', bugIds: [bug.id] }] })
  await again.hears(`BUG ${bug.id}`)
  // Everyone in the campaign can see the change log.
  await inside.hears(`TEST ${seats[1]!.id}`)
})

test('a change that answers feedback reaches its author, even after the test, and the retest reaches the developer', async () => {
  const { id } = await live({}, 0)
  const form = await developer.call<{ questions: Made[] }>('PUT', `/campaigns/${id}/feedback-form`, {
    questions: [{ kind: 'LONG_TEXT', text: 'What is missing?', required: true }],
  })
  const questionId = form.body.questions[0]!.id
  const tester = await t.signUp('TESTER')
  const test1 = (await joinedBy(tester, id)).id
  await post(tester, `/testers/campaign-testers/${test1}/feedback`, {
    version: 1,
    answers: { [questionId]: 'A dark look' },
  })
  await daysAndProof(t, [{ person: tester, participationId: test1 }], 1)
  await post(developer, `/campaign-testers/${test1}/verify`)
  const own = await since(tester)
  const version = await developer.call<{ changes: Made[] }>('POST', `/campaigns/${id}/changes`, {
    version: '1.2',
    changes: [{ text: 'A dark look', feedback: [{ testId: test1, questionId }] }],
  })
  await own.hears(`TEST ${test1}`)
  const owner = await since(developer)
  await post(tester, `/changes/${version.body.changes[0]!.id}/retest`, { result: 'WORKS' })
  await owner.hears(`CAMPAIGN ${id}`)
})

test('a check of the books that starts to fail reaches the admins', async () => {
  const office = await since(admin)
  await t.look(
    `insert into check_results (name, ran_at, took_ms, broken, examples) values ('tried', now(), 1, 0, '[]')`,
  )
  expect(await office.heard()).toEqual([])
  await t.look(`update check_results set broken = 2, broken_since = now() where name = 'tried'`)
  await office.hears('QUEUE')
})

test('a place on the bench reaches the campaign, and a held seat reaches the tester who waits for it', async () => {
  const { id, first } = await live({ testersRequired: 1 })
  const owner = await since(developer)
  const waiting = await t.signUp('TESTER')
  const entry = await post(waiting, `/testers/campaigns/${id}/join`, { deviceInfo: device, waitlist: true })
  await owner.hears(`CAMPAIGN ${id}`)
  const tester = await since(waiting)
  await post(first.person, `/testers/campaign-testers/${first.id}/leave`)
  await tester.hears(`TEST ${entry.id}`)
})

test('a changed NDA reaches current testers, and an acceptance reaches the developer', async () => {
  const { id, first } = await live()
  const tester = await since(first.person)
  await developer.call('PUT', `/campaigns/${id}/nda`, { text: 'Tell nobody.' })
  await tester.hears(`TEST ${first.id}`)
  const owner = await since(developer)
  await post(first.person, `/campaigns/${id}/nda/accept`, { name: 'Tess Tester', version: 1 })
  await owner.hears(`CAMPAIGN ${id}`)
})

test('an appeal reaches the admins’ queue and the developer, and its outcome reaches both sides', async () => {
  const { id } = await live({ testersRequired: 3 }, 0)
  const tester = await t.signUp('TESTER')
  const seat = await frozen(t, tester, id)
  const [office, owner] = [await since(admin), await since(developer)]
  await post(tester, `/testers/campaign-testers/${seat.id}/appeal`, {
    reason: 'The second picture shows the search of the app, with the word that I looked for.',
  })
  await office.hears('QUEUE')
  await owner.hears(`CAMPAIGN ${id}`)
  const [own, others, queue] = [await since(tester), await since(developer), await since(admin)]
  await post(admin, `/admin/campaign-testers/${seat.id}/decide-appeal`, {
    decision: 'VERIFY',
    note: 'The pictures show each of the screens that were asked for.',
  })
  for (const event of [`TEST ${seat.id}`, 'MONEY']) await own.hears(event)
  await others.hears(`CAMPAIGN ${id}`)
  await queue.hears('QUEUE')
})

test('campaigns, findings and their decisions, and failed payouts reach the admins', async () => {
  const reaches = async (act: () => Promise<unknown>) => {
    const office = await since(admin)
    await act()
    await office.hears('QUEUE')
  }
  await reaches(async () => liveCampaign(developer, admin))
  await t.signUp('TESTER', { deviceFingerprint: 'one-phone' })
  await t.signUp('TESTER', { deviceFingerprint: 'one-phone' })
  await reaches(async () => {
    await admin.call('POST', '/admin/fraud-scan/trigger')
    await t.advance(0)
  })
  const tester = await paidTester(t, developer, admin, 2000)
  await tester.call('PATCH', '/users/me', { paymentMethod: 'decline@example.test', currentPassword: password })
  await t.advance(24)
  await tester.call('POST', '/testers/withdraw', { amountCents: 2000 })
  const balance = await since(tester)
  await reaches(() => t.advance(1))
  await balance.hears('MONEY')
})

test('reading a notification on one device reaches the user’s other devices', async () => {
  const tester = await t.signUp('TESTER')
  await post(admin, `/admin/users/${tester.user.id}/message`, { subject: 'Hello', message: 'Hello.' })
  const elsewhere = await since(tester)
  await tester.call('POST', '/users/me/notifications/read', {})
  await elsewhere.hears('NOTICES')
})

// The last one, since the sandbox's balance knows nothing of this dispute: withdrawals stop.
test('a dispute, the debt for it, and that an admin has settled it reach the campaign’s owner', async () => {
  const { news, settled } = disputesIn(t, admin)
  const { id, first } = await live()
  await daysAndProof(t, [{ person: first.person, participationId: first.id }], 1)
  await post(developer, `/campaign-testers/${first.id}/verify`)
  const owes = async () => {
    const owner = await since(developer)
    return { hears: () => owner.hears(`CAMPAIGN ${id}`) }
  }
  const opened = await owes()
  await news(id, 'OPEN')
  await opened.hears()
  const lost = await owes()
  await news(id, 'LOST')
  await lost.hears()
  const covered = await owes()
  await settled()
  await covered.hears()
  const { body } = await admin.call<{ id: string; campaign: Made; owedCents: number }[]>(
    'GET',
    '/admin/disputes?status=OWED&limit=100',
  )
  const debt = body.find(({ campaign }) => campaign.id === id)!
  const paid = await owes()
  await post(admin, `/admin/disputes/${debt.id}/settle`, { amountCents: debt.owedCents, note: 'Bank transfer.' })
  await paid.hears()
})
