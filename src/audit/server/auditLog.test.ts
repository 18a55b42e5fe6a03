/** Every admin action leaves exactly one entry, and entries are never changed or deleted (product.md §7). */
import { beforeAll, describe, expect, test } from 'vitest'
import { daysAndProof, fundedBy, joinedBy, liveCampaign, paidTester, password, type Person } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { paidAfterAll, stuckPart } from '../../testing/stuckRefund.ts'
import { everyStep } from '../../testing/walk.ts'
import { type AuditAction, auditActions } from '../actions.ts'
import type { AuditEntry } from '../contract.ts'
import type { SettingsShown } from '../../settings/contract.ts'

const t = testApp()
const developer = signedUp(t, 'DEVELOPER')
const archer = signedUp(t, 'ADMIN', { name: 'Ann Archer' })
const bob = signedUp(t, 'ADMIN', { name: 'Bob Baker' })

/** Ann Archer’s last call, with any id replaced. */
let lastCall = ''
const call: Person['call'] = (method, path, body) => {
  lastCall = `${method} ${path.replace(/[\da-f]{8}-[-\da-f]{27}/, ':id')}`
  return archer.call(method, path, body)
}
const ann = {
  call,
  get user() {
    return archer.user
  },
}

type LogPage = { data: AuditEntry[]; page: number; limit: number; total: number }
const log = async (query = '') => (await ann.call<LogPage>('GET', `/admin/audit-log${query}`)).body

const submitted = async () => {
  const { id } = await liveCampaign(developer, bob, { durationDays: 1 })
  const person = await t.signUp('TESTER')
  const participationId = (await joinedBy(person, id)).id
  await daysAndProof(t, [{ person, participationId }], 1)
  return participationId
}
const appealed = async () => {
  const { id } = await liveCampaign(developer, bob, { durationDays: 1 })
  const person = await t.signUp('TESTER')
  const participationId = (await joinedBy(person, id)).id
  await daysAndProof(t, [{ person, participationId }], 1)
  await developer.call('POST', `/campaign-testers/${participationId}/reject`, { code: 'OTHER', reason })
  await person.call('POST', `/testers/campaign-testers/${participationId}/appeal`, { reason })
  return participationId
}
const contested = async () => {
  const { id } = await liveCampaign(developer, bob, { accessMode: 'EMAIL_LIST' })
  const person = await t.signUp('TESTER')
  const { id: testId } = await joinedBy(person, id)
  await person.call('POST', `/testers/campaign-testers/${testId}/opt-in`)
  await developer.call('POST', `/campaign-testers/${testId}/contest-opt-in`, { reason })
  return testId
}
const withNewLink = async () => {
  const { id } = await liveCampaign(developer, bob)
  await developer.call('PATCH', `/campaigns/${id}`, { distributionLink: 'https://example.test/new' })
  return id
}
const sampleReport = async () =>
  (await t.look<{ id: string }>("select id from fraud_reports where status = 'OPEN' order by id limit 1"))[0]!.id
const reported = async () => {
  const tester = await t.signUp('TESTER')
  const { id } = await liveCampaign(developer, bob)
  await joinedBy(tester, id)
  const found = { title: 'Crash', severity: 'HIGH', steps: 'Open it.', actual: 'It closes.' }
  return (await tester.call<{ id: string }>('POST', `/campaigns/${id}/bugs`, found)).body.id
}
const reason = 'It does not follow the campaign’s instructions.'

/**
 * Done on the server, and tested in src/accounts/server/secondFactorReset.test.ts, src/dashboards/server/rollupChecks.test.ts,
 * src/app/server/secrets.test.ts and src/accounts/server/admins.test.ts.
 */
const onTheServer = ['user.reset-second-factor', 'figures.mend', 'settings.replace-key', 'admin.create'] as const
/** Done by campaign owners, and tested in src/testerLists/server/testerLists.test.ts and src/nda/server/nda.test.ts. */
const byOwners = ['campaign.export-tester-list', 'campaign.export-nda'] as const
/** A dispute in the sandbox, where an admin decides the outcome. */
const disputed = async () => {
  const { id } = await fundedBy(developer)
  const [dispute] = await t.look<{ id: string }>(
    `with frozen as (update campaigns set disputed_since = now() where id = $1)
     insert into disputes (id, provider, reference, payment_id, campaign_id, amount_cents, reason, status, opened_at, recorded_at)
       select gen_random_uuid(), 'sandbox', id::text, id, campaign_id, amount_cents, 'Disputed.', 'OPEN', now(), now()
       from payments where campaign_id = $1 returning id`,
    [id],
  )
  return dispute!.id
}
/** A lost dispute for which the developer owes 3450 cents. */
const lost = async () => {
  const id = await disputed()
  await t.look(
    `with lost as (update disputes set status = 'LOST', closed_at = now() where id = $1 returning campaign_id)
    update campaigns set disputed_since = null, dispute_lost_at = now() where id in (select campaign_id from lost)`,
    [id],
  )
  return id
}
/** A campaign whose money has been in escrow for 80 days. */
const aged = async () => {
  const { id } = await fundedBy(developer)
  await t.look('update campaigns set escrow_due_at = now() where id = $1', [id])
  return id
}
/** Done by admins to their own accounts through calls that all users have, and tested in src/accounts/server/admins.test.ts. */
const onOwnAccount = ['admin.rename', 'admin.change-email', 'admin.delete'] as const
type NotCalled = (typeof onTheServer)[number] | (typeof byOwners)[number] | (typeof onOwnAccount)[number]
type AdminAction = Exclude<AuditAction, NotCalled>
const others: readonly AuditAction[] = [...onTheServer, ...byOwners, ...onOwnAccount]
const adminActions = auditActions.filter((action): action is AdminAction => !others.includes(action))

/** A withdrawal that needs two admins. */
const largePayout = async () => {
  const person = await paidTester(t, developer, bob, 2000)
  await t.look('update settings set payout_approval_cents = 1500')
  const { body } = await person.call<{ id: string }>('POST', '/testers/withdraw', { amountCents: 2000 })
  return body.id
}

const byTransfer = { amountCents: 3450, reference: 'SEPA 2026-11-23 0815' }
const stuckRefund = async () => {
  const { id } = await fundedBy(developer)
  await developer.call('POST', `/campaigns/${id}/cancel`)
  await t.look('update settings set payout_approval_cents = null')
  return stuckPart(t, id)
}
/** A refund that another admin has recorded as paid and that awaits confirmation. */
const recordedRefund = async () => {
  const id = await stuckRefund()
  await t.look('update settings set payout_approval_cents = 1500')
  await bob.call('POST', `/admin/stuck-refunds/${id}/pay`, byTransfer)
  return id
}

/** A new limit that another admin has proposed. */
const proposed = async () => {
  await t.look('update settings set payout_approval_cents = 1500')
  const { body } = await bob.call<SettingsShown>('PATCH', '/admin/settings', { payoutApprovalCents: null })
  return body.limitChange!.id
}

/** Every admin action, through the API. A new action does not compile until it is listed here. */
const actions: Record<AdminAction, () => Promise<{ status: number }>> = {
  'campaign.approve': async () => ann.call('POST', `/admin/campaigns/${(await fundedBy(developer)).id}/approve`),
  'campaign.reject': async () =>
    ann.call('POST', `/admin/campaigns/${(await fundedBy(developer)).id}/reject`, { reason }),
  'campaign.approve-link': async () => ann.call('POST', `/admin/campaigns/${await withNewLink()}/approve-link`),
  'campaign.reject-link': async () =>
    ann.call('POST', `/admin/campaigns/${await withNewLink()}/reject-link`, { reason }),
  'campaign.pause': async () => ann.call('POST', `/campaigns/${(await liveCampaign(developer, bob)).id}/pause`),
  'campaign.cancel': async () => ann.call('POST', `/campaigns/${(await liveCampaign(developer, bob)).id}/cancel`),
  'participation.verify': async () => ann.call('POST', `/campaign-testers/${await submitted()}/verify`),
  'participation.request-changes': async () =>
    ann.call('POST', `/campaign-testers/${await submitted()}/request-changes`, { note: reason }),
  'participation.reject': async () =>
    ann.call('POST', `/campaign-testers/${await submitted()}/reject`, { code: 'OTHER', reason }),
  'participation.decide-opt-in': async () =>
    ann.call('POST', `/admin/campaign-testers/${await contested()}/decide-opt-in`, { decision: 'CLEAR', note: reason }),
  'bug.change': async () => ann.call('PATCH', `/bugs/${await reported()}`, { status: 'CONFIRMED' }),
  'bug.comment': async () => ann.call('POST', `/bugs/${await reported()}/comments`, { text: reason }),
  'participation.decide-rejection': async () => {
    const id = await submitted()
    await t.look(
      `insert into rejection_requests (participation_id, requested_at, code, reason) values ($1, now(), 'OTHER', $2)`,
      [id, reason],
    )
    const body = { decision: 'CONSENT', note: reason }
    return ann.call('POST', `/admin/campaign-testers/${id}/decide-rejection`, body)
  },
  'participation.decide-appeal': async () =>
    ann.call('POST', `/admin/campaign-testers/${await appealed()}/decide-appeal`, { decision: 'UPHOLD', note: reason }),
  'payout.release': async () => ann.call('POST', `/admin/payouts/${await largePayout()}/release`),
  'payout.confirm': async () => {
    const id = await largePayout()
    await bob.call('POST', `/admin/payouts/${id}/release`)
    return ann.call('POST', `/admin/payouts/${id}/confirm`)
  },
  'payout.refuse': async () => ann.call('POST', `/admin/payouts/${await largePayout()}/refuse`, { reason }),
  'refund.retry': async () => ann.call('POST', `/admin/stuck-refunds/${await stuckRefund()}/retry`),
  'refund.pay': async () => ann.call('POST', `/admin/stuck-refunds/${await stuckRefund()}/pay`, byTransfer),
  'refund.confirm': async () => ann.call('POST', `/admin/stuck-refunds/${await recordedRefund()}/confirm`),
  'refund.refuse': async () => ann.call('POST', `/admin/stuck-refunds/${await recordedRefund()}/refuse`, { reason }),
  'refund.settle': async () => {
    const id = await stuckRefund()
    await bob.call('POST', `/admin/stuck-refunds/${id}/pay`, byTransfer)
    await paidAfterAll(t, id)
    return ann.call('POST', `/admin/stuck-refunds/${id}/settle`, { note: reason })
  },
  'dispute.note': async () => ann.call('PUT', `/admin/disputes/${await disputed()}/note`, { note: reason }),
  'dispute.decide': async () =>
    ann.call('POST', `/admin/disputes/${await disputed()}/decide`, { outcome: 'WON', note: reason }),
  'dispute.settle': async () =>
    ann.call('POST', `/admin/disputes/${await lost()}/settle`, { amountCents: 3450, note: reason }),
  'dispute.waive': async () =>
    ann.call('POST', `/admin/disputes/${await lost()}/waive`, { amountCents: 3450, note: reason }),
  'dispute.give-back': async () => {
    const id = await lost()
    await t.look('select settle_debt(gen_random_uuid(), $1, false, 3450, $2, $3, now())', [id, reason, ann.user.id])
    await t.look(
      `select win_lost_dispute(provider, reference, movements + 1, now(), now()) from disputes where id = $1`,
      [id],
    )
    return ann.call('POST', `/admin/disputes/${id}/give-back`, { amountCents: 3450, note: reason })
  },
  'escrow.renew': async () => ann.call('POST', `/admin/escrow/${await aged()}/renew`, { reason }),
  'escrow.extend': async () => ann.call('POST', `/admin/escrow/${await aged()}/extend`, { reason }),
  'user.message': async () =>
    ann.call('POST', `/admin/users/${developer.user.id}/message`, { subject: 'Hello', message: 'Text' }),
  'user.ban': async () => ann.call('POST', `/admin/users/${(await t.signUp('TESTER')).user.id}/ban`, { reason }),
  'user.unban': async () => {
    const { user } = await t.signUp('TESTER')
    await bob.call('POST', `/admin/users/${user.id}/ban`, { reason })
    return ann.call('POST', `/admin/users/${user.id}/unban`, { reason })
  },
  'fraud.scan': () => ann.call('POST', '/admin/fraud-scan/trigger'),
  'fraud.generate-samples': () => ann.call('POST', '/admin/fraud-reports/generate-samples'),
  'fraud.resolve': async () =>
    ann.call('POST', `/admin/fraud-reports/${await sampleReport()}/resolve`, { resolution: reason }),
  'fraud.dismiss': async () => ann.call('POST', `/admin/fraud-reports/${await sampleReport()}/dismiss`, { reason }),
  'fraud.clear': () => ann.call('DELETE', '/admin/fraud-reports/clear'),
  'checks.run': () => ann.call('POST', '/admin/operations/run-checks'),
  'jobs.pause': () => ann.call('POST', '/admin/operations/pause-jobs', { reason }),
  'jobs.resume': () => ann.call('POST', '/admin/operations/resume-jobs'),
  'withdrawals.go-on': async () => {
    const [breach] = await t.look<{
      id: string
    }>(`insert into money_breaches (id, check_name, found_at, row_count, off_cents, examples)
      values (gen_random_uuid(), 'tried', now(), 1, '{"a": 1}', '[]') returning id`)
    const accepted = { breachIds: [breach!.id], reason: 'Corrected by a transfer of its own.' }
    return ann.call('POST', '/admin/operations/let-withdrawals-go-on', accepted)
  },
  'settings.propose': async () => {
    await t.look('update settings set payout_approval_cents = 1500')
    return ann.call('PATCH', '/admin/settings', { payoutApprovalCents: 2000 })
  },
  'settings.confirm': async () => ann.call('POST', `/admin/limit-changes/${await proposed()}/confirm`),
  'settings.refuse': async () => ann.call('POST', `/admin/limit-changes/${await proposed()}/refuse`),
  'settings.change': () => ann.call('PATCH', '/admin/settings', { reviewHours: 73 }),
}

/** Further calls that record an action listed above. */
const again: [AdminAction, () => Promise<{ status: number }>, Record<string, unknown>][] = [
  ['campaign.cancel', async () => ann.call('POST', `/admin/escrow/${await aged()}/cancel`, { reason }), { reason }],
  [
    'bug.change',
    async () => ann.call('PATCH', `/bugs/${await reported()}`, { status: 'FIXED', fixedIn: '1.2', note: reason }),
    { bug: '#1 Crash', change: 'is fixed in 1.2', note: reason },
  ],
]

const ofRefund = { refund: '$34.50', campaign: 'Try our notes app', reference: byTransfer.reference }
const noPayout = { proposedBy: 'Bob Baker', payoutApprovalCents: '1500 → off' }

/** What each entry says besides its subject; nothing for those that are not listed. */
const facts: Partial<Record<AdminAction, Record<string, unknown>>> = {
  'campaign.reject': { reason },
  'campaign.approve-link': { newLink: 'https://example.test/new', oldLink: expect.stringContaining('play.google.com') },
  'campaign.reject-link': { newLink: 'https://example.test/new', reason },
  'participation.request-changes': { note: reason },
  'participation.reject': { code: 'OTHER', reason },
  'participation.decide-opt-in': { decision: 'CLEAR', note: reason },
  'participation.decide-rejection': { decision: 'CONSENT', note: reason },
  'participation.decide-appeal': { decision: 'UPHOLD', note: reason },
  'bug.change': { bug: '#1 Crash', change: 'is now marked as confirmed' },
  'bug.comment': { bug: '#1 Crash' },
  'payout.release': { payout: '$20.00' },
  'payout.confirm': { payout: '$20.00' },
  'payout.refuse': { payout: '$20.00', reason },
  'refund.retry': { refund: '$34.50', campaign: 'Try our notes app' },
  'refund.pay': ofRefund,
  'refund.confirm': ofRefund,
  'refund.refuse': { ...ofRefund, reason },
  'refund.settle': { ...ofRefund, note: reason },
  'dispute.note': { note: reason },
  'dispute.decide': { outcome: 'WON', note: reason },
  'dispute.settle': { amount: '$34.50', note: reason },
  'dispute.waive': { amount: '$34.50', note: reason },
  'dispute.give-back': { amount: '$34.50', note: reason },
  'escrow.renew': { reason, amountCents: 3450 },
  'escrow.extend': { reason, until: expect.stringMatching(/^\d{4}-/) },
  'user.message': { subject: 'Hello' },
  'user.ban': { reason },
  'user.unban': { reason },
  'fraud.generate-samples': { created: expect.any(Number) },
  'fraud.resolve': { reason },
  'fraud.dismiss': { reason },
  'fraud.clear': { archived: expect.any(Number), samplesRemoved: expect.any(Number) },
  'jobs.pause': { reason },
  'jobs.resume': { pausedBecause: reason },
  'withdrawals.go-on': { checks: 'tried', reason: 'Corrected by a transfer of its own.' },
  'settings.propose': { payoutApprovalCents: '1500 → 2000' },
  'settings.confirm': noPayout,
  'settings.refuse': noPayout,
  'settings.change': { reviewHours: '72 → 73' },
}

describe('an admin action', () => {
  beforeAll(() => bob.call('POST', '/admin/fraud-reports/generate-samples'))

  const called = new Set<string>()
  const tried = [...adminActions.map(action => [action, actions[action], facts[action] ?? {}] as const), ...again]
  test.each(tried)(
    '%s leaves exactly one entry under the admin’s name, with what it was about',
    async (action, act, says) => {
      const own = async () => (await log(`?admin=${ann.user.email}`)).total
      const before = await own()
      const { status } = await act()
      called.add(lastCall)
      expect(status).toBeLessThan(300)
      expect(await own()).toBe(before + 1)
      const [newest] = (await log(`?admin=${ann.user.email}`)).data
      expect(newest).toMatchObject({ action, admin: { id: ann.user.id, name: 'Ann Archer' } })
      expect(newest!.facts).toEqual(says)
    },
  )

  test('is tested for every call by which admins change what is not their own', () => {
    const changes = everyStep
      .filter(({ endpoint: { access, method } }) => method !== 'GET' && [access].flat().includes('ADMIN'))
      .map(({ endpoint: { method, path } }) => `${method} ${path}`)
    expect(changes.length).toBeGreaterThan(30)
    expect([...called].toSorted()).toEqual(changes.toSorted())
  })

  test('leaves no entry if it is refused', async () => {
    const before = (await log()).total
    const { id } = await fundedBy(developer)
    expect((await ann.call('POST', `/admin/campaigns/${id}/reject`, {})).status).toBe(400)
    await ann.call('POST', `/admin/campaigns/${id}/approve`)
    expect((await ann.call('POST', `/admin/campaigns/${id}/approve`)).status).toBe(409)
    expect((await log()).total).toBe(before + 1)
  })
})

test('an owner’s action on their own campaign leaves no entry', async () => {
  const before = (await log()).total
  const { id } = await liveCampaign(developer, bob)
  await developer.call('POST', `/campaigns/${id}/pause`)
  await developer.call('POST', `/campaigns/${id}/cancel`)
  // The one entry is Bob's approval.
  expect((await log()).total).toBe(before + 1)
})

test('entries can be filtered by action and by admin, and are paged newest first', async () => {
  const approvals = await log('?action=campaign.approve')
  expect(new Set(approvals.data.map(entry => entry.action))).toEqual(new Set(['campaign.approve']))
  expect((await log('?admin=archer')).data.every(entry => entry.admin?.name === 'Ann Archer')).toBe(true)
  expect((await log('?admin=nobody')).total).toBe(0)
  expect((await log('?admin=%25')).total).toBe(0)
  const pages = [await log('?limit=5'), await log('?limit=5&page=2')].flatMap(page => page.data.map(entry => entry.id))
  expect(pages).toEqual((await log('?limit=10')).data.map(entry => entry.id))
  expect(pages).toEqual(pages.toSorted((a, b) => (a < b ? 1 : -1)))
})

test('a whole email finds only that admin, even if it is part of another admin’s email', async () => {
  const joann = await t.signUp('ADMIN')
  const email = `jo${ann.user.email}`
  await t.look('update users set email = $1 where id = $2', [email, joann.user.id])
  await joann.call('POST', `/admin/users/${developer.user.id}/message`, { subject: 'Hello', message: 'How are you?' })
  const adminsOf = async (words: string) =>
    new Set((await log(`?limit=100&admin=${words}`)).data.map(({ admin }) => admin?.id))
  expect(await adminsOf(ann.user.email)).toEqual(new Set([ann.user.id]))
  expect(await adminsOf(email.toUpperCase())).toEqual(new Set([joann.user.id]))
  expect((await adminsOf(ann.user.email.slice(0, -1))).has(joann.user.id)).toBe(true)
})

test('an entry contains its subject’s name and its campaign', async () => {
  const campaign = await fundedBy(developer, { title: 'Readable notes' })
  await ann.call('POST', `/admin/campaigns/${campaign.id}/reject`, { reason })
  expect((await log('?limit=1')).data[0]).toMatchObject({
    subject: 'Readable notes',
    campaignId: campaign.id,
    facts: { reason },
  })
  const participationId = await submitted()
  await ann.call('POST', `/campaign-testers/${participationId}/verify`)
  const [verified] = (await log('?limit=1')).data
  expect(verified).toMatchObject({ subjectId: participationId, subject: 'Try our notes app' })
  expect(verified!.campaignId).not.toBeNull()
})

test('an entry about a user who has deleted their account since names nobody', async () => {
  const person = await t.signUp('TESTER')
  await ann.call('POST', `/admin/users/${person.user.id}/message`, { subject: 'Your test', message: 'Please write.' })
  const newest = async () => (await log('?limit=1')).data[0]
  expect(await newest()).toMatchObject({ subjectId: person.user.id, subject: person.user.name })
  expect((await person.call('DELETE', '/users/me', { password })).status).toBe(204)
  expect(await newest()).toMatchObject({ subjectId: person.user.id, subject: null })
})

test.each(["update audit_log set action = 'x'", 'delete from audit_log', 'truncate audit_log'])(
  'the log is append-only: %s',
  async statement => {
    await expect(t.look(statement)).rejects.toThrow('append-only')
  },
)

test('actions of deleted admins stay distinguishable without their names, and can be filtered', async () => {
  const gone = await Promise.all(['Cat Carver', 'Dan Dyer'].map(name => t.signUp('ADMIN', { name })))
  for (const person of gone) {
    await person.call('POST', `/admin/users/${developer.user.id}/message`, {
      subject: 'Hello',
      message: 'How are you?',
    })
    expect((await person.call('DELETE', '/users/me', { password })).status).toBe(204)
  }
  for (const { user } of gone) {
    const mark = `Deleted admin ${user.id.slice(-8)}`
    const { data } = await log(`?admin=${encodeURIComponent(mark)}`)
    expect(data.map(({ admin, action }) => [admin, action])).toEqual(
      ['admin.delete', 'user.message'].map(action => [{ id: user.id, name: mark }, action]),
    )
  }
  // By the name of before, which the entry of the deletion has.
  const { data } = await log('?admin=Carver')
  expect(new Set(data.map(({ admin }) => admin?.id))).toEqual(new Set([gone[0]!.user.id]))
})

test('an admin is found by the name and by the email of before as well', async () => {
  const eve = await t.signUp('ADMIN', { name: 'Eve Earlier' })
  expect((await eve.call('PATCH', '/users/me', { name: 'Eve Elder' })).status).toBe(200)
  await t.look(
    `insert into audit_log (id, at, admin_id, action, subject_type, subject_id, facts)
     values (gen_random_uuid(), now(), $1, 'admin.change-email', 'user', $1, '{"emailBefore": "eve@before.test"}')`,
    [eve.user.id],
  )
  for (const words of ['Earlier', 'Elder', 'EVE@before.test', 'eve@before.te']) {
    const found = new Set((await log(`?admin=${words}`)).data.map(({ admin }) => admin?.id))
    expect([words, ...found]).toEqual([words, eve.user.id])
  }
})
