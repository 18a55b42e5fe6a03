/** The people and objects that tests use to call every endpoint. */
import type { Role } from '../kit/roles.ts'
import { daysAndProof, draftOf, frozen, fundedBy, joinedBy, liveCampaign, type Person, type TestApp } from './app.ts'
import { addPasskey } from './secondFactor.ts'
import { picture } from './pictures.ts'
import { stuckPart } from './stuckRefund.ts'
import { uploaded } from './uploads.ts'
import { pathOf, type Step } from './walk.ts'

export type Fixtures = {
  people: Record<Role, Person>
  /** The path with an object of the caller's own, so that a request that gets through changes something. */
  ownPath: (step: Step, role: Role) => string
  /** The path with an object that neither the developer nor the tester may see. */
  foreignPath: (step: Step) => string
  foreignNouns: readonly string[]
}

type Objects = Record<string, string>

export const fixturesOf = async (t: TestApp): Promise<Fixtures> => {
  const [developer, tester, admin] = await Promise.all([t.signUp('DEVELOPER'), t.signUp('TESTER'), t.signUp('ADMIN')])
  const [owner, stranger] = await Promise.all([t.signUp('DEVELOPER'), t.signUp('TESTER')])
  const people = { DEVELOPER: developer, TESTER: tester, ADMIN: admin }
  const sessionOf = async ({ user }: Person) => {
    const [session] = await t.look<{ id: string }>('select id from sessions where user_id = $1', [user.id])
    return session!.id
  }
  const [draft, live, joined] = await Promise.all([
    draftOf(developer),
    liveCampaign(developer, admin),
    liveCampaign(developer, admin),
  ])
  await admin.call('POST', '/admin/fraud-reports/generate-samples')
  const [report] = await t.look<{ id: string }>('select id from fraud_reports limit 1')
  const paymentOf = async ({ user }: Person) => {
    const [payment] = await t.look<{ id: string }>(
      'select p.id from campaigns c join payments p on p.campaign_id = c.id where c.developer_id = $1 limit 1',
      [user.id],
    )
    return payment!.id
  }
  const refundOf = async (person: Person) => {
    await person.call('POST', `/campaigns/${(await fundedBy(person)).id}/cancel`)
    const [refund] = await t.look<{ id: string }>('select id from refunds where developer_id = $1', [person.user.id])
    return refund!.id
  }
  const withdrawalOf = async (person: Person) => {
    const { id } = await liveCampaign(owner, admin, { testersRequired: 1, durationDays: 1 })
    const participationId = (await joinedBy(person, id)).id
    await daysAndProof(t, [{ person, participationId }], 1)
    await owner.call('POST', `/campaign-testers/${participationId}/verify`)
    const { status, body } = await person.call<{ id: string }>('POST', '/testers/withdraw', { amountCents: 1000 })
    if (status !== 201) throw new Error(`withdrawing failed: ${JSON.stringify(body)}`)
    return body.id
  }
  const bugOf = async (person: Person, campaignId: string) => {
    const found = {
      title: 'Search is empty',
      severity: 'LOW',
      steps: 'Search for a note.',
      actual: 'Nothing is found.',
    }
    const { status, body } = await person.call<{ id: string }>('POST', `/campaigns/${campaignId}/bugs`, found)
    if (status !== 201) throw new Error(`reporting a bug failed: ${JSON.stringify(body)}`)
    return body.id
  }
  const changeOf = async (person: Person, campaignId: string) => {
    const version = { version: '1.1', changes: [{ text: 'It starts faster' }] }
    const path = `/campaigns/${campaignId}/changes`
    const { body } = await person.call<{ changes: { id: string }[] }>('POST', path, version)
    return body.changes[0]!.id
  }
  const appealOf = async (person: Person) => {
    const { id } = await frozen(t, person, (await liveCampaign(developer, admin)).id)
    await person.call('POST', `/testers/campaign-testers/${id}/appeal`, {
      reason: 'The second picture shows the search.',
    })
    return id
  }
  const disputeOf = async (payment: string) => {
    const [made] = await t.look<{ id: string }>(
      `with opened as (insert into disputes (id, provider, reference, payment_id, campaign_id, amount_cents, reason, status, opened_at,
          recorded_at)
        select gen_random_uuid(), 'sandbox', id::text, id, campaign_id, amount_cents, 'Disputed.', 'OPEN', now(), now()
          from payments where id = $1::uuid returning *),
        frozen as (update campaigns set disputed_since = opened.opened_at from opened where campaigns.id = opened.campaign_id)
      select id from opened`,
      [payment],
    )
    return made!.id
  }
  // Withdraw before the stranger has a passkey, which a withdrawal would ask for.
  const foreignWithdrawal = await withdrawalOf(stranger)
  /** A withdrawal that waits for two admins. */
  const payoutOf = async () => {
    const person = await t.signUp('TESTER')
    const { id } = await joinedBy(person, (await liveCampaign(developer, admin)).id)
    await t.look(
      `update participations set status = 'SUBMITTED', proof_text = 'Each day.', proof_submitted_at = joined_at where id = $1`,
      [id],
    )
    await developer.call('POST', `/campaign-testers/${id}/verify`)
    const { body } = await person.call<{ id: string }>('POST', '/testers/withdraw', { amountCents: 1000 })
    await t.look(
      'insert into payout_approvals (withdrawal_id, requested_at) select id, created_at from withdrawals where id = $1',
      [body.id],
    )
    return body.id
  }
  /** A refund that the payment provider refuses for good. */
  const stuckOf = async () => {
    const { id } = await liveCampaign(owner, admin)
    await owner.call('POST', `/campaigns/${id}/cancel`)
    return stuckPart(t, id)
  }
  const limitChangeOf = async () => {
    const [made] = await t.look<{ id: string }>(
      `insert into limit_changes (id, from_cents, proposed_by, proposed_at) values (gen_random_uuid(), 1500, $1, now()) returning id`,
      [admin.user.id],
    )
    return made!.id
  }
  /** A campaign whose money has been in escrow for 80 days. */
  const agedOf = async () => {
    const { id } = await liveCampaign(owner, admin)
    await t.look('update campaigns set escrow_due_at = now() where id = $1', [id])
    return id
  }
  const shared = {
    payouts: await payoutOf(),
    disputes: await disputeOf(await paymentOf(owner)),
    'stuck-refunds': await stuckOf(),
    'limit-changes': await limitChangeOf(),
    escrow: await agedOf(),
    appeals: await appealOf(stranger),
    payments: await paymentOf(developer),
    refunds: await refundOf(developer),
    withdrawals: await withdrawalOf(tester),
    'campaign-testers': (await joinedBy(tester, joined.id)).id,
    bugs: await bugOf(tester, joined.id),
    changes: await changeOf(developer, joined.id),
    users: stranger.user.id,
    'fraud-reports': report!.id,
    passkeys: (await addPasskey(stranger)).id,
  }
  const attachmentOf = async (person: Person) => (await uploaded(t, person, await picture())).id
  const own: Record<Role, Objects> = {
    DEVELOPER: {
      ...shared,
      campaigns: draft.id,
      sessions: await sessionOf(developer),
      attachments: await attachmentOf(developer),
    },
    TESTER: {
      ...shared,
      campaigns: live.id,
      sessions: await sessionOf(tester),
      attachments: await attachmentOf(tester),
    },
    ADMIN: {
      ...shared,
      campaigns: draft.id,
      sessions: await sessionOf(admin),
      attachments: await attachmentOf(admin),
    },
  }
  const foreignCampaign = await liveCampaign(owner, admin)
  const foreign: Objects = {
    payouts: shared.payouts,
    disputes: shared.disputes,
    'stuck-refunds': shared['stuck-refunds'],
    'limit-changes': shared['limit-changes'],
    escrow: shared.escrow,
    appeals: shared.appeals,
    campaigns: (await draftOf(owner)).id,
    payments: await paymentOf(owner),
    refunds: await refundOf(owner),
    withdrawals: foreignWithdrawal,
    'campaign-testers': (await joinedBy(stranger, foreignCampaign.id)).id,
    bugs: await bugOf(stranger, foreignCampaign.id),
    changes: await changeOf(owner, foreignCampaign.id),
    users: stranger.user.id,
    'fraud-reports': report!.id,
    passkeys: shared.passkeys,
    sessions: await sessionOf(stranger),
    attachments: await attachmentOf(stranger),
  }
  const fill = (step: Step, objects: Objects) => {
    if (step.noun === null) return pathOf(step, '')
    const id = objects[step.noun]
    if (id === undefined) throw new Error(`${step.name}: add an object of ${step.noun} to src/testing/fixtures.ts`)
    return pathOf(step, id)
  }
  return {
    people,
    ownPath: (step, role) => fill(step, own[role]),
    foreignPath: step => fill(step, foreign),
    foreignNouns: Object.keys(foreign),
  }
}
