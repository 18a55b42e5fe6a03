/**
 * Where Stripe tells what has happened. The signature is checked over the body as it came, then the event is stored and answered;
 * a job works it off.
 */
import type { FastifyInstance } from 'fastify'
import { clock } from '../../../kit/clock.ts'
import { DomainError } from '../../../kit/errors.ts'
import { apiBase } from '../../../kit/server/http.ts'
import { during, requestWork } from '../../../kit/server/limits.ts'
import { type StripeClient, stripeClient } from './client.ts'
import { takeStripeEvent } from './inbox.ts'

/** The one of product.md §10, and where the manual of earlier versions had Stripe send to. */
const webhookPaths = [`${apiBase}/payments/webhooks/stripe`, '/webhooks/stripe']

/** Stripe's events have a few kilobytes. */
const maxBodyBytes = 262_144
/** Older ones may be a repetition by somebody who has listened. */
const toleranceSeconds = 300

const refused = () => new DomainError('INVALID_INPUT', 'This is not signed by Stripe.')

const signedEvent = ({ api, settings }: StripeClient, body: unknown, signature: unknown) => {
  if (!Buffer.isBuffer(body) || typeof signature !== 'string') throw refused()
  try {
    const { webhookSecret: secret } = settings
    return api.webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, clock.nowMs())
  } catch {
    throw refused()
  }
}

/** Not part of the API: only Stripe calls it. Without Stripe it is not there. */
export const mountStripeWebhook = async (app: FastifyInstance): Promise<void> => {
  const client = stripeClient()
  if (!client) return
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    const whole = { parseAs: 'buffer', bodyLimit: maxBodyBytes } as const
    scope.addContentTypeParser('*', whole, (_request, body, done) => done(null, body))
    for (const path of webhookPaths)
      scope.post(path, { bodyLimit: maxBodyBytes }, async (request, reply) => {
        const event = signedEvent(client, request.body, request.headers['stripe-signature'])
        await during(requestWork('writes'), () => takeStripeEvent(client, event))
        return reply.code(200).send({ received: true })
      })
  })
}
