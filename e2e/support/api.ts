/** What a journey needs before it begins, created with the product's own calls: people, campaigns, seats, days. */
import { randomUUID } from 'node:crypto'
import type { Session } from '../../src/accounts/contract.ts'
import type { Campaign, NewCampaign } from '../../src/campaigns/contract.ts'
import type { CampaignTester } from '../../src/participations/contract.ts'
import { adminEmail, password } from './people.ts'
import { address, promote } from './product.ts'
import { setStripesClock, stripe, stripeTells } from './stripe.ts'

type Role = 'ADMIN' | 'DEVELOPER' | 'TESTER'
export type Person = { name: string; email: string; role: Role; session: Session }

const send = (method: string, path: string, body?: unknown, token?: string): Promise<Response> =>
  fetch(`${address()}/api/v1${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const answerOf = async <T>(what: string, reply: Response): Promise<T> => {
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${what} answered ${reply.status}: ${text}`)
  return (reply.headers.get('content-type')?.includes('json') && text !== '' ? JSON.parse(text) : undefined) as T
}

/** Creates a separate session, so that what happens to it does not affect the person's other sessions. */
export const signInByCall = async (email: string, secret = password): Promise<Session> =>
  answerOf('Login', await send('POST', '/auth/login', { email, password: secret }))

/** Calls as that person; signs in again if the token expired when the clock was moved. */
export const call = async <T>(person: Person, method: string, path: string, body?: unknown): Promise<T> => {
  const first = await send(method, path, body, person.session.accessToken)
  if (first.status !== 401) return answerOf(`${method} ${path}`, first)
  person.session = await signInByCall(person.email)
  return answerOf(`${method} ${path}`, await send(method, path, body, person.session.accessToken))
}

/** Names are unique within a journey; addresses are unique within a run, even if a journey is repeated. */
export const newPerson = async (
  role: 'DEVELOPER' | 'TESTER',
  name: string,
  more: { deviceFingerprint?: string; timeZone?: string } = {},
): Promise<Person> => {
  const email = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '.')}.${randomUUID().slice(0, 6)}@journeys.test`
  const registration = { name, email, role, password, timeZone: 'Europe/Berlin', ...more }
  return {
    name,
    email,
    role,
    session: await answerOf('Registration', await send('POST', '/auth/register', registration)),
  }
}

/** A second admin, for what takes two. */
export const anotherAdmin = async (name: string): Promise<Person> => {
  const { email } = await newPerson('DEVELOPER', name)
  await promote(email)
  return { name, email, role: 'ADMIN', session: await signInByCall(email) }
}

export const theAdmin = async (): Promise<Person> => {
  const session = await signInByCall(adminEmail)
  return { name: session.user.name, email: adminEmail, role: 'ADMIN', session }
}

const campaignTerms = {
  description: 'Use it every day and tell us what gets in the way.',
  distributionLink: 'https://play.google.com/apps/testing/com.example.app',
  testersRequired: 2,
  payPerTesterCents: 1250,
  durationDays: 2,
}

type Terms = Partial<NewCampaign> & { title: string }

export const draftCampaign = (developer: Person, terms: Terms): Promise<Campaign> =>
  call(developer, 'POST', '/campaigns', { ...campaignTerms, ...terms })

export const pendingCampaign = async (developer: Person, terms: Terms): Promise<Campaign> => {
  const { id, outstandingCents } = await draftCampaign(developer, terms)
  const asked = await call<Campaign>(developer, 'POST', `/campaigns/${id}/fund`, { amountCents: outstandingCents })
  if (!asked.payment) return asked
  const fake = stripe()!
  fake.pay(fake.all('checkout.session')[0]!.id)
  await stripeTells(address())
  await passHours(0)
  return call(developer, 'GET', `/campaigns/${id}`)
}

export const liveCampaign = async (developer: Person, terms: Terms): Promise<Campaign> => {
  const { id } = await pendingCampaign(developer, terms)
  await call(await theAdmin(), 'POST', `/admin/campaigns/${id}/approve`)
  return call(developer, 'POST', `/campaigns/${id}/start`)
}

/** A live campaign whose payment is disputed a day later; an admin decides the outcome. */
export const disputedLater = async (
  developer: Person,
  terms: Terms,
  paymentMethod = 'dispute@journeys.test',
): Promise<Campaign> => {
  await call(developer, 'PATCH', '/users/me', {
    paymentMethod,
    currentPassword: password,
  })
  return liveCampaign(developer, terms)
}

/** Sends what a campaign with a tester list asks for; other campaigns ignore it. */
export const join = (tester: Person, campaign: Pick<Campaign, 'id'>, fingerprint?: string): Promise<CampaignTester> =>
  call(tester, 'POST', `/testers/campaigns/${campaign.id}/join`, {
    deviceInfo: { platform: 'android', osVersion: '14', model: 'Pixel 8', ...(fingerprint && { fingerprint }) },
    playEmail: `${tester.email.split('@')[0]}@gmail.com`,
    consent: true,
  })

/** Moves the product's clock; returns the new time once everything that fell due has happened. */
export const passHours = async (hours: number): Promise<string> => {
  const reply = await send('POST', '/test-clock', { advanceHours: hours })
  const { now } = await answerOf<{ now: string }>('The test clock', reply)
  setStripesClock(now)
  return now
}

/** A tester is verified and paid for a one-day campaign: `payPerTesterCents` is in the balance. */
export const earn = async (developer: Person, tester: Person, title: string, cents: number): Promise<void> => {
  const terms = { title, testersRequired: 1, durationDays: 1, payPerTesterCents: cents }
  const { id } = await join(tester, await liveCampaign(developer, terms))
  await call(tester, 'POST', `/testers/campaign-testers/${id}/check-ins`, {})
  await passHours(25)
  await call(tester, 'POST', `/testers/campaign-testers/${id}/proof`, { proof: `I used ${title} for a day.` })
  await call(developer, 'POST', `/campaign-testers/${id}/verify`)
}
