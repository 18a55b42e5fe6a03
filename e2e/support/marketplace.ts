/** A marketplace in which every screen has something to show, for the walks through all screens. */
import type { Transaction } from '../../src/ledger/contract.ts'
import type { Dispute } from '../../src/ledger/disputesContract.ts'
import type { Ids, Viewer } from '../../scripts/screens/routes.ts'
import {
  call,
  disputedLater,
  draftCampaign,
  earn,
  join,
  liveCampaign,
  newPerson,
  passHours,
  pendingCampaign,
  type Person,
  theAdmin,
} from './api.ts'

export type Marketplace = { ids: Ids; people: Record<Exclude<Viewer, 'VISITOR'>, Person> }

/** Longer than what is shown at once. */
const longText = Array.from({ length: 80 }, (_, line) => `Screen ${line + 1} says what it is for.`).join('\n')

/** One campaign with a tester in each state: checked in, with a proof to review, verified. Also withdrawals, and an edit. */
export const newMarketplace = async (name: string): Promise<Marketplace> => {
  const developer = await newPerson('DEVELOPER', `Dev ${name}`)
  const tester = await newPerson('TESTER', `Test ${name}`)
  const other = await newPerson('TESTER', `Other ${name}`)
  const strict = await newPerson('DEVELOPER', `Strict ${name}`)
  const unlucky = await newPerson('TESTER', `Unlucky ${name}`)
  const admin = await theAdmin()
  await earn(developer, tester, `Earlier test of ${name}`, 2500)
  const withdrawal = await call<{ id: string; createdAt: string }>(tester, 'POST', '/testers/withdraw', {
    amountCents: 1000,
  })
  const draft = await draftCampaign(developer, { title: `Draft of ${name}`, platform: 'ios' })
  await pendingCampaign(developer, { title: `Pending of ${name}` })
  const campaign = await liveCampaign(developer, {
    title: `Closed test of ${name}`,
    testersRequired: 3,
    durationDays: 2,
  })
  const unfair = await liveCampaign(strict, { title: `Unfair test of ${name}`, durationDays: 1 })
  const refused = await join(unlucky, unfair)
  await disputedLater(await newPerson('DEVELOPER', `Doubtful ${name}`), { title: `Disputed test of ${name}` })
  const theirs = await join(other, campaign)
  await call(other, 'POST', `/testers/campaign-testers/${theirs.id}/check-ins`, { note: 'The start screen is slow.' })
  await passHours(25)
  await call(other, 'POST', `/testers/campaign-testers/${theirs.id}/check-ins`, {})
  await passHours(25)
  await call(other, 'POST', `/testers/campaign-testers/${theirs.id}/proof`, { proof: 'I used it on both days.' })
  await call(unlucky, 'POST', `/testers/campaign-testers/${refused.id}/proof`, { proof: longText })
  const rejection = { code: 'OTHER', reason: 'The proof is of another app than the one to test.' }
  await call(strict, 'POST', `/campaign-testers/${refused.id}/reject`, rejection)
  await call(unlucky, 'POST', `/testers/campaign-testers/${refused.id}/appeal`, {
    reason: longText,
  })
  const test = await join(tester, campaign)
  await call(tester, 'POST', `/testers/campaign-testers/${test.id}/check-ins`, {})
  const bug = await call<{ id: string }>(tester, 'POST', `/campaigns/${campaign.id}/bugs`, {
    title: 'The start screen is empty',
    severity: 'HIGH',
    steps: '1. Open the app.\n2. Wait.',
    actual: 'Nothing appears.',
  })
  await call(developer, 'POST', `/bugs/${bug.id}/comments`, { text: 'Thank you, we look at it.' })
  const version = { version: '1.2', changes: [{ text: 'The start screen fills at once', bugIds: [bug.id] }] }
  await call(developer, 'POST', `/campaigns/${campaign.id}/changes`, version)
  const closed = await liveCampaign(developer, { title: `Email list of ${name}`, accessMode: 'EMAIL_LIST' })
  const wayIn = await join(tester, closed)
  await call(developer, 'POST', `/campaigns/${closed.id}/tester-list/export`)
  await call(developer, 'POST', `/campaigns/${closed.id}/tester-list/confirm`)
  const optedIn = await join(other, closed)
  await call(other, 'POST', `/testers/campaign-testers/${optedIn.id}/opt-in`, {})
  const doubt = { reason: 'Play Console shows one tester fewer.' }
  await call(developer, 'POST', `/campaign-testers/${optedIn.id}/contest-opt-in`, doubt)
  await call(admin, 'POST', '/admin/fraud-reports/generate-samples')
  await call(admin, 'POST', '/waitlist', {
    email: `waits.for@${name.toLowerCase()}.test`,
    country: 'Germany',
    role: 'tester',
  })
  await call(admin, 'POST', `/admin/users/${tester.session.user.id}/message`, {
    subject: 'Welcome',
    message: 'Good to have you.',
  })
  const calledOff = await pendingCampaign(developer, { title: `Called off by ${name}` })
  await call(developer, 'POST', `/campaigns/${calledOff.id}/cancel`)
  const { data } = await call<{ data: Pick<Transaction, 'paymentId' | 'refundId'>[] }>(
    developer,
    'GET',
    '/users/me/transactions',
  )
  const [dispute] = await call<Dispute[]>(admin, 'GET', '/admin/disputes?limit=1')
  const payment = data.find(({ paymentId }) => paymentId !== null)?.paymentId ?? ''
  const refund = data.find(({ refundId }) => refundId !== null)?.refundId ?? ''
  return {
    ids: {
      campaign: campaign.id,
      review: campaign.id,
      closed: closed.id,
      draft: draft.id,
      test: test.id,
      wayIn: wayIn.id,
      payment,
      refund,
      withdrawal: withdrawal.id,
      month: withdrawal.createdAt.slice(0, 7),
      user: tester.session.user.id,
      bug: bug.id,
      myBug: bug.id,
      appeal: refused.id,
      dispute: dispute?.id ?? '',
      open: campaign.id,
    },
    people: { DEVELOPER: developer, TESTER: tester, ADMIN: admin },
  }
}
