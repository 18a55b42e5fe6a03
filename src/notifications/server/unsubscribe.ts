/**
 * Turning emails off through the link in one of them, without signing in. Only a POST does it, because mail programs and scanners
 * open links on their own.
 */
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { countCall } from '../../kit/server/hourlyCalls.ts'
import { callerOf } from '../../kit/server/http.ts'
import { networkOf } from '../../kit/server/network.ts'
import type { EmailTopic } from '../contract.ts'
import { type DigestPeriod, digestPeriods, titleOfScope } from '../topics.ts'
import { waitAsChosen } from './choices.queries.ts'
import * as queries from './unsubscribe.queries.ts'
import { readUnsubscribeToken } from './unsubscribeTokens.ts'

type Options = { limited: boolean }

/**
 * Limits per hour: wrong tokens from one network, and uses of one user's links. Right tokens are not counted by network, since the
 * servers of a large mail provider press the links of all of its users.
 */
const perHour = { wrong: 30, right: 100 }

const refused = () => {
  const message = 'This link is incomplete. Open it again from the email, or change your choices in your settings.'
  return new DomainError('INVALID_INPUT', message, { fields: { token: message } })
}

const tooMany = (retryAfterSeconds: number) =>
  new DomainError('TOO_MANY_REQUESTS', 'Too many attempts. Try again later.', { retryAfterSeconds })

const countOne = async (caller: string, most: number) => {
  const { calls, secondsLeft } = await transact(tx => countCall(tx, { kind: 'UNSUBSCRIBE', caller }))
  if (calls > most) throw tooMany(secondsLeft)
}

/** The same refusal for every kind of wrong token. */
const open = async (token: string, { ip }: Caller, { limited }: Options) => {
  const found = await readUnsubscribeToken(autocommit, token)
  if (!found) {
    if (limited) await countOne(networkOf(ip), perHour.wrong)
    throw refused()
  }
  if (limited) await countOne(found.userId, perHour.right)
  return found
}

const isPeriod = (scope: string): scope is DigestPeriod => digestPeriods.some(period => period === scope)

const turn = (tx: Tx, userId: string, scope: string, emails: boolean): Promise<number> => {
  if (isPeriod(scope))
    return emails ? queries.turnDigestOn(tx, userId, scope) : queries.turnDigestOff(tx, userId, scope)
  return emails ? queries.turnTopicOn(tx, userId, scope) : queries.turnTopicOff(tx, userId, scope)
}

export const unsubscribe = async (
  { token, emails }: { token: string; emails: boolean },
  caller: Caller,
  options: Options,
): Promise<EmailTopic> => {
  const { userId, scope } = await open(token, caller, options)
  await transact(async tx => {
    await turn(tx, userId, scope, emails)
    await waitAsChosen(tx, userId)
  })
  return { title: titleOfScope(scope), digest: isPeriod(scope), emails }
}

/** The form that a mail program sends according to RFC 8058, in either encoding. */
const isOneClick = (body: unknown) => typeof body === 'string' && /List-Unsubscribe(=|"\s+)One-Click/.test(body)

/** Not part of the API: mail programs send a form, and read only the status. */
export const mountOneClick = async (app: FastifyInstance, options: Options): Promise<void> => {
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    const asText = { parseAs: 'string', bodyLimit: 4096 } as const
    for (const type of ['application/x-www-form-urlencoded', /^multipart\/form-data/])
      scope.addContentTypeParser(type, asText, (_request, body, done) => done(null, body))
    scope.post('/unsubscribe', async (request, reply) => {
      const { token } = request.query as { token?: unknown }
      if (typeof token !== 'string' || token.length > 200 || !isOneClick(request.body)) throw refused()
      await unsubscribe({ token, emails: false }, callerOf(request), options)
      return reply.type('text/plain; charset=utf-8').send('You are unsubscribed.\n')
    })
  })
}
