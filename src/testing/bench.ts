/** The reserve bench of a full campaign, as tests need it. */
import { expect } from 'vitest'
import type { Campaign } from '../campaigns/contract.ts'
import type { CampaignTester } from '../participations/contract.ts'
import { device, joinedBy, liveCampaign, type Person, type TestApp } from './app.ts'

export const wait = (person: Person, id: string, more: object = {}) =>
  person.call<CampaignTester>('POST', `/testers/campaigns/${id}/join`, { deviceInfo: device, waitlist: true, ...more })
export const accept = (person: Person, id: string) =>
  person.call<CampaignTester>('POST', `/testers/campaign-testers/${id}/accept-seat`)
export const leave = (person: Person, id: string) =>
  person.call<CampaignTester>('POST', `/testers/campaign-testers/${id}/leave`)
export const own = async (person: Person, id: string) =>
  (await person.call<CampaignTester>('GET', `/testers/campaign-testers/${id}`)).body
export const seen = async (person: Person, id: string) => (await person.call<Campaign>('GET', `/campaigns/${id}`)).body
export const subjects = async (person: Person) => {
  const { body } = await person.call<{ subject: string }[]>('GET', '/users/me/notifications')
  return body.map(({ subject }) => subject).toReversed()
}

export const waitingFor = async (t: TestApp, campaignId: string, count: number) => {
  const people = []
  for (let n = 0; n < count; n++) {
    const person = await t.signUp('TESTER')
    const { status, body } = await wait(person, campaignId)
    expect(status).toBe(201)
    people.push({ person, id: body.id })
  }
  return people
}

/** One seat, which `inside` has. */
export const fullOfOne = async (t: TestApp, owner: Person, admin: Person) => {
  const campaign = await liveCampaign(owner, admin, { testersRequired: 1, title: 'Full' })
  const inside = await t.signUp('TESTER')
  return { campaign, inside, insideId: (await joinedBy(inside, campaign.id)).id }
}

/** A bench of as many as the campaign has seats. */
export const fullOfThree = async (t: TestApp, owner: Person, admin: Person, inside: Person) => {
  const campaign = await liveCampaign(owner, admin, { testersRequired: 3, title: 'Full' })
  const [first, second] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  await joinedBy(first, campaign.id)
  await joinedBy(second, campaign.id)
  return { campaign, insideId: (await joinedBy(inside, campaign.id)).id }
}
