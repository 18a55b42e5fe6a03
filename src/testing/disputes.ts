/** A campaign with a disputed payment, for tests. */
import type { Campaign } from '../campaigns/contract.ts'
import { clock } from '../kit/clock.ts'
import { transact } from '../kit/server/db.ts'
import { disputeChanged } from '../ledger/server/disputes.ts'
import type { DisputeOutcome } from '../ledger/terms.ts'
import type { Notification } from '../notifications/contract.ts'
import type { CampaignTester } from '../participations/contract.ts'
import type { Transaction } from '../ledger/contract.ts'
import { daysAndProof, device, joinedBy, liveCampaign, password, type Person, type TestApp } from './app.ts'

export const linesOf = async (person: Person) =>
  (await person.call<{ data: Transaction[] }>('GET', '/users/me/transactions')).body.data
    .map(({ type, status, amountCents }) => `${type} ${status} ${amountCents}`)
    .toSorted()

/** The texts of the person's notifications with this subject, newest first. */
export const toldOf = async (person: Person, subject: RegExp) =>
  (await person.call<Notification[]>('GET', '/users/me/notifications')).body
    .filter(told => subject.test(told.subject))
    .map(({ text }) => text)

export const join = (tester: Person, id: string, waitlist = false) =>
  tester.call<CampaignTester & { message: string }>('POST', `/testers/campaigns/${id}/join`, {
    deviceInfo: device,
    waitlist,
  })

/** `t` and `admin` come from `testApp` and `signedUp`, and can be used only once the tests run. */
export const disputesIn = (t: TestApp, admin: Person) => {
  const payingBy = async (paymentMethod: string | null): Promise<Person> => {
    const developer = await t.signUp('DEVELOPER')
    await developer.call('PATCH', '/users/me', { paymentMethod, currentPassword: password })
    return developer
  }

  const paymentOf = async (campaignId: string) =>
    (
      await t.look<{ id: string; cents: number }>(
        `select id, amount_cents::int as cents from payments where campaign_id = $1 and status = 'COMPLETED' order by seq`,
        [campaignId],
      )
    )[0]!

  return {
    payingBy,
    paymentOf,
    campaignOf: async (person: Person, id: string) => (await person.call<Campaign>('GET', `/campaigns/${id}`)).body,
    /** Reports a dispute as a provider's event does. */
    news: async (
      campaignId: string,
      status: 'OPEN' | DisputeOutcome,
      reference = campaignId,
      amountCents?: number,
      evidenceDueAt: string | null = null,
      movements = 0,
    ) => {
      const payment = await paymentOf(campaignId)
      return transact(tx =>
        disputeChanged(tx, {
          provider: 'test',
          reference,
          paymentId: payment.id,
          amountCents: amountCents ?? payment.cents,
          reason: 'fraudulent',
          status,
          evidenceDueAt,
          movements,
          at: clock.now(),
        }),
      )
    },
    /** Runs the jobs of every minute. */
    settled: () => t.advance(1),
    begun: async (terms: Record<string, unknown> = {}) => {
      const developer = await payingBy(null)
      const { id } = await liveCampaign(developer, admin, { durationDays: 1, ...terms })
      return { developer, id }
    },
    withProof: async (id: string) => {
      const person = await t.signUp('TESTER')
      const participationId = (await joinedBy(person, id)).id
      await daysAndProof(t, [{ person, participationId }], 1)
      return { person, participationId }
    },
  }
}
