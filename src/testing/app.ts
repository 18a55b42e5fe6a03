/** The real application for tests (start.ts starts it): calls, signed-in people, and campaigns in whatever state a test needs. */
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { decodeJwt } from 'jose'
import pLimit from 'p-limit'
import type { Session } from '../accounts/contract.ts'
import { createAdmin } from '../accounts/server/accounts.ts'
import type { Campaign } from '../campaigns/contract.ts'
import type { CampaignTester } from '../participations/contract.ts'
import { clock } from '../kit/clock.ts'
import type { ErrorBody } from '../kit/errors.ts'
import type { Method } from '../kit/endpoint.ts'
import type { Role } from '../kit/roles.ts'
import { autocommit } from '../kit/server/db.ts'
import { served } from './served.ts'
import { during, requestLimits, workOf } from '../kit/server/limits.ts'

export type Reply<T> = { status: number; body: T; headers: Record<string, unknown> }

type CallOptions = { token?: string | undefined; body?: unknown; key?: string; headers?: Record<string, string> }

/** A signed-in person, who makes calls with their own token. */
export type Person = Session & {
  call: <T = ErrorBody>(method: Method, path: string, body?: unknown, key?: string) => Promise<Reply<T>>
}

export type TestApp = {
  app: FastifyInstance
  call: <T = ErrorBody>(method: Method, path: string, options?: CallOptions) => Promise<Reply<T>>
  signUp: (role: Role, more?: Record<string, unknown>) => Promise<Person>
  signIn: (email: string, password?: string) => Promise<Person>
  /** Moves the clock and runs what falls due. Access tokens expire as usual. */
  advance: (hours: number) => Promise<void>
  /** Queries the database, and changes it, as the owner of the tables, whose rights the product does not have. */
  look: <Row>(query: string, values?: unknown[]) => Promise<Row[]>
  mailFolder: string
  dataDir: string
  /** Signs in as the owner of the tables. */
  databaseUrl: string
  stop: () => Promise<void>
}

export const password = 'correct horse'

/** An application that runs in this process; whoever has started it calls `stop`. */
export type Running = Pick<TestApp, 'app' | 'dataDir' | 'databaseUrl' | 'stop'>

export const clientOf = ({ app, dataDir, databaseUrl, stop }: Running): TestApp => {
  let people = 0
  /** As many at once as the server keeps waiting. */
  const registering = pLimit(16)

  const call = async <T>(
    method: Method,
    path: string,
    { token, body, key, headers }: CallOptions = {},
  ): Promise<Reply<T>> => {
    const reply = await app.inject({
      method,
      url: path.startsWith('/api') ? path : `/api/v1${path}`,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isJson = String(reply.headers['content-type']).includes('json') && reply.payload !== ''
    return { status: reply.statusCode, body: (isJson ? reply.json() : undefined) as T, headers: reply.headers }
  }
  const asPerson = (session: Session): Person => {
    const byName: Pick<Person, 'call'> = {
      // A token lives 15 minutes, so after the clock has moved, the person signs in again without the test having to ask for it.
      call: async (method, path, body, key) => {
        const send = async () => {
          const { accessToken: token } = await fresh(session)
          return { token, reply: await call<never>(method, path, { token, body, ...(key !== undefined && { key }) }) }
        }
        const { token, reply } = await send()
        // The clock may have moved while the request was on its way.
        return reply.status === 401 && isOld(token) ? (await send()).reply : reply
      },
    }
    return Object.assign(session, byName)
  }
  const ageMs = (token: string) => clock.nowMs() - decodeJwt(token).iat! * 1000
  const isOld = (token: string) => ageMs(token) >= 14 * 60_000
  /** Parallel calls share one refresh, as in the web client: a second use of the token would end the session. */
  const refreshing = new Map<Session, Promise<Session>>()
  const fresh = async (session: Session): Promise<Session> => {
    if (!isOld(session.accessToken)) return session
    const going = refreshing.get(session) ?? renewed(session).finally(() => refreshing.delete(session))
    refreshing.set(session, going)
    return going
  }
  /** Signs in with the password when a refresh is too late: a session ends after 30 days without use, and always after 90. */
  const renewed = async (session: Session): Promise<Session> => {
    const { at, secret } = begun.get(session) ?? { at: 0, secret: password }
    const daysSince = (ms: number) => (clock.nowMs() - ms) / 86_400_000
    if (daysSince(at) < 89 && ageMs(session.accessToken) < 29 * 86_400_000) return refresh(session)
    const { status, body } = await served(() =>
      call<Session>('POST', '/auth/login', { body: { email: session.user.email, password: secret } }),
    )
    if (status !== 200) throw new Error(`the login answered ${status}: ${JSON.stringify(body)}`)
    Object.assign(session, { accessToken: body.accessToken, refreshToken: body.refreshToken })
    begin(session, secret)
    return session
  }
  const refresh = async (session: Session): Promise<Session> => {
    const { status, body } = await served(() =>
      call<Session>('POST', '/auth/refresh', { body: { refreshToken: session.refreshToken } }),
    )
    if (status !== 200) throw new Error(`the refresh answered ${status}: ${JSON.stringify(body)}`)
    return Object.assign(session, { accessToken: body.accessToken, refreshToken: body.refreshToken })
  }
  const begun = new WeakMap<Session, { at: number; secret: string }>()
  const begin = (session: Session, secret: string) => begun.set(session, { at: clock.nowMs(), secret })
  const remembered = (session: Session, secret: string) => {
    begin(session, secret)
    return asPerson(session)
  }
  const signIn = async (email: string, secret = password) =>
    remembered(
      (await served(() => call<Session>('POST', '/auth/login', { body: { email, password: secret } }))).body,
      secret,
    )

  return {
    app,
    call,
    signIn,
    signUp: async (role, more = {}) => {
      const email = `${role.toLowerCase()}${++people}@example.test`
      const person = { email, password, name: `${role} ${people}`, ...more }
      if (role === 'ADMIN') {
        await createAdmin(person)
        return signIn(email)
      }
      const { status, body } = await registering(() =>
        served(() => call<Session & ErrorBody>('POST', '/auth/register', { body: { ...person, role } })),
      )
      // The first answer was too late for a busy server, but its transaction had committed.
      if (body.code === 'EMAIL_TAKEN' && person.email === email) return signIn(email, person.password)
      if (status !== 201) throw new Error(`sign-up failed: ${JSON.stringify(body)}`)
      return remembered(body, person.password)
    },
    advance: async hours => {
      const { status, body } = await call('POST', '/test-clock', { body: { advanceHours: hours } })
      if (status !== 200) throw new Error(`the clock did not move: ${JSON.stringify(body)}`)
    },
    look: async <Row>(query: string, values: unknown[] = []) =>
      (await during(workOf('owner', requestLimits), () => autocommit.raw(query, values))).rows as Row[],
    mailFolder: join(dataDir, 'mail'),
    dataDir,
    databaseUrl,
    stop,
  }
}

export const campaignInput = {
  title: 'Try our notes app',
  description: 'Write a note every day and tell us what is in the way.',
  platform: 'android',
  distributionLink: 'https://play.google.com/apps/testing/com.example.notes',
  testersRequired: 3,
  payPerTesterCents: 1000,
  durationDays: 14,
}

/** A campaign that its developer has created on these terms. */
export const draftOf = async (developer: Person, terms: Record<string, unknown> = {}): Promise<Campaign> =>
  (await served(() => developer.call<Campaign>('POST', '/campaigns', { ...campaignInput, ...terms }))).body

export const fundedBy = async (developer: Person, terms: Record<string, unknown> = {}): Promise<Campaign> => {
  const draft = await draftOf(developer, terms)
  const { body } = await served(() =>
    developer.call<Campaign>('POST', `/campaigns/${draft.id}/fund`, { amountCents: draft.totalCostCents }),
  )
  return body
}

/** Created, funded, approved and started. */
export const liveCampaign = async (
  developer: Person,
  admin: Person,
  terms: Record<string, unknown> = {},
): Promise<Campaign> => {
  const { id } = await fundedBy(developer, terms)
  const approved = await served(() => admin.call('POST', `/admin/campaigns/${id}/approve`))
  const { status, body } = await served(() => developer.call<Campaign>('POST', `/campaigns/${id}/start`))
  if (status !== 200) throw new Error(`the campaign did not start: ${JSON.stringify([approved.body, body])}`)
  return body
}

export const device = { platform: 'android', osVersion: '14', model: 'Pixel 8', manufacturer: 'Google' }

/** The Google account of a tester's Play Store, which is not the account's own address. */
export const playEmailOf = ({ user }: Person): string => `play.${user.email.split('@')[0]}@gmail.com`

/** Sends what a campaign with a tester list asks for; other campaigns ignore it. */
export const joinedBy = async (
  tester: Person,
  campaignId: string,
  playEmail: string = playEmailOf(tester),
): Promise<CampaignTester> => {
  const { status, body } = await served(() =>
    tester.call<CampaignTester>('POST', `/testers/campaigns/${campaignId}/join`, {
      deviceInfo: device,
      playEmail,
      consent: true,
    }),
  )
  if (status !== 201) throw new Error(`joining failed: ${JSON.stringify(body)}`)
  return body
}

export const proof = 'I wrote a note on each of the days and found that the search forgets what was typed.'

/** Checks in every day, and then submits the proof. */
export const daysAndProof = async (
  { advance }: Pick<TestApp, 'advance'>,
  testers: { person: Person; participationId: string }[],
  days: number,
): Promise<void> => {
  for (let day = 0; day < days; day++) {
    for (const { person, participationId } of testers) {
      await served(() => person.call('POST', `/testers/campaign-testers/${participationId}/check-ins`, {}))
    }
    await advance(24)
  }
  for (const { person, participationId } of testers) {
    const { status, body } = await served(() =>
      person.call('POST', `/testers/campaign-testers/${participationId}/proof`, { proof }),
    )
    if (status !== 200) throw new Error(`the proof was refused: ${JSON.stringify(body)}`)
  }
}

/** A tester joins and is rejected at once, without waiting out the days: the seat is frozen. */
export const frozen = async (
  { look }: Pick<TestApp, 'look'>,
  tester: Person,
  campaignId: string,
): Promise<CampaignTester> => {
  const joined = await joinedBy(tester, campaignId)
  await look(
    `update participations set status = 'SUBMITTED', proof_text = $2, proof_submitted_at = joined_at where id = $1`,
    [joined.id, proof],
  )
  await look(
    `select reject_participation(id, (select developer_id from campaigns where id = campaign_id), 'OTHER', 'Not of our app.', 72,
      joined_at) from participations where id = $1`,
    [joined.id],
  )
  return joined
}

/** A tester whose one-day test was verified: the balance is `payPerTesterCents`. */
export const paidTester = async (
  t: TestApp,
  developer: Person,
  admin: Person,
  payPerTesterCents: number,
): Promise<Person> => {
  const { id } = await liveCampaign(developer, admin, { testersRequired: 1, payPerTesterCents, durationDays: 1 })
  const person = await t.signUp('TESTER')
  const participationId = (await joinedBy(person, id)).id
  await daysAndProof(t, [{ person, participationId }], 1)
  const { status, body } = await developer.call('POST', `/campaign-testers/${participationId}/verify`)
  if (status !== 200) throw new Error(`verifying failed: ${JSON.stringify(body)}`)
  return person
}
