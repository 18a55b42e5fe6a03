/** Helpers for tests of appeals: a rejected or appealed test, and what each side sees of it. */
import { expect } from 'vitest'
import type { Campaign } from '../campaigns/contract.ts'
import type { Balance } from '../ledger/contract.ts'
import type { CampaignTester } from '../participations/contract.ts'
import { joinedBy, liveCampaign, type Person, type TestApp } from './app.ts'
import { emailsOf } from './observed.ts'

export type Answer = CampaignTester & { code?: string; message?: string }

export const rejection = {
  code: 'NO_EVIDENCE_OF_TESTING',
  reason: 'The proof speaks of none of the screens of our app.',
}
export const reason = 'The second picture shows the search of the app, with the word that I looked for.'
export const note = 'The pictures show each of the screens that were asked for.'

export const appeal = (tester: Person, id: string, more: object = {}) =>
  tester.call<Answer>('POST', `/testers/campaign-testers/${id}/appeal`, { reason, ...more })
export const own = async (tester: Person, id: string) =>
  (await tester.call<Answer>('GET', `/testers/campaign-testers/${id}`)).body
export const balanceOf = async (tester: Person) =>
  (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents

/** For campaigns of one developer, decided by one admin. */
export const hearing = (t: TestApp, developer: Person, admin: Person) => {
  const reject = (id: string) => developer.call<Answer>('POST', `/campaign-testers/${id}/reject`, rejection)
  const decide = (id: string, decision: string, key?: string) =>
    admin.call<Answer>('POST', `/admin/campaign-testers/${id}/decide-appeal`, { decision, note }, key)
  const campaignOf = async (id: string) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body

  /** What the ledger holds for a campaign. */
  const heldFor = async (id: string) => {
    const [row] = await t.look<{ pay: number; fee: number }>(
      `select coalesce(sum(balance_cents) filter (where kind = 'CAMPAIGN_ESCROW'), 0)::int as pay,
        coalesce(sum(balance_cents) filter (where kind = 'CAMPAIGN_FEE'), 0)::int as fee from accounts where owner_id = $1`,
      [id],
    )
    return row!
  }

  /** A tester of a one-day campaign who has submitted the proof; each seat is $10.00 and a fee of $1.50. */
  const submitted = async (title: string, terms: Record<string, unknown> = {}) => {
    const { id: campaignId } = await liveCampaign(developer, admin, {
      title,
      testersRequired: 1,
      durationDays: 1,
      ...terms,
    })
    const tester = await t.signUp('TESTER')
    const { id } = await joinedBy(tester, campaignId)
    await tester.call('POST', `/testers/campaign-testers/${id}/check-ins`, {})
    await t.advance(24)
    // The fraud scan would report the same text from many testers.
    const proof = `I opened each screen of ${title} and wrote down what was slow, in note ${id}.`
    expect((await tester.call('POST', `/testers/campaign-testers/${id}/proof`, { proof })).status).toBe(200)
    return { id, tester, campaignId }
  }
  const rejected = async (title: string, terms: Record<string, unknown> = {}) => {
    const made = await submitted(title, terms)
    expect((await reject(made.id)).status).toBe(200)
    return made
  }
  const appealed = async (title: string, terms: Record<string, unknown> = {}) => {
    const made = await rejected(title, terms)
    expect((await appeal(made.tester, made.id)).status).toBe(200)
    return made
  }
  const emailsAbout = async (title: string) => {
    await t.advance(0)
    return (await emailsOf(t)).filter(email => email.endsWith(title))
  }
  return { reject, decide, campaignOf, heldFor, submitted, rejected, appealed, emailsAbout }
}
