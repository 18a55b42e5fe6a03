/** Campaigns whose testers accept an NDA: the requests of their tests, and how they begin. */
import { expect } from 'vitest'
import type { Campaign } from '../campaigns/contract.ts'
import type { Balance } from '../ledger/contract.ts'
import type { Nda } from '../nda/contract.ts'
import type { CampaignTester } from '../participations/contract.ts'
import { joinedBy, liveCampaign, type Person, type TestApp } from './app.ts'

export const ndaTests = (t: TestApp, developer: Person, admin: Person) => {
  const setNda = (id: string, text: string) => developer.call<Nda>('PUT', `/campaigns/${id}/nda`, { text })
  const accept = (tester: Person, id: string, version = 1, name = 'Tess Tester') =>
    tester.call<CampaignTester & { message?: string; code?: string }>('POST', `/campaigns/${id}/nda/accept`, {
      name,
      version,
    })
  const on = (tester: Person, id: string, call: string, body?: unknown) =>
    tester.call<CampaignTester & { message?: string }>('POST', `/testers/campaign-testers/${id}/${call}`, body)
  const mine = async (tester: Person, id: string) =>
    (await tester.call<CampaignTester>('GET', `/testers/campaign-testers/${id}`)).body
  const balanceOf = async (tester: Person) => (await tester.call<Balance>('GET', '/testers/balance')).body.balanceCents
  const campaignOf = async (id: string) => (await developer.call<Campaign>('GET', `/campaigns/${id}`)).body
  const subjectsOf = async (person: Person) =>
    (await person.call<{ subject: string }[]>('GET', '/users/me/notifications')).body.map(({ subject }) => subject)

  /** $14.00 for 14 days, which is a dollar per day. */
  const terms = { testersRequired: 3, payPerTesterCents: 1400, durationDays: 14 }
  const withNda = async (more: Record<string, unknown> = {}) => {
    const campaign = await liveCampaign(developer, admin, { ...terms, ...more })
    expect((await setNda(campaign.id, 'Tell nobody about it.')).status).toBe(200)
    return campaign
  }
  /** A tester who has accepted the first version and checked in on so many days. */
  const inside = async (days: number, more: Record<string, unknown> = {}) => {
    const { id, title } = await withNda(more)
    const tester = await t.signUp('TESTER')
    const seat = (await joinedBy(tester, id)).id
    expect((await accept(tester, id)).status).toBe(200)
    for (let day = 0; day < days; day++) {
      await on(tester, seat, 'check-ins', {})
      await t.advance(24)
    }
    return { id, title, tester, seat }
  }
  return { setNda, accept, on, mine, balanceOf, campaignOf, subjectsOf, withNda, inside, terms }
}
