/**
 * The endpoint for Stripe's events. It checks the signature over the raw body, stores the event and answers; a job handles the
 * event.
 */
import type { FastifyInstance } from 'fastify'
import { clock } from '../../../kit/clock.ts'
import { DomainError } from '../../../kit/errors.ts'
import { apiBase } from '../../../kit/server/http.ts'
import { during, requestWork } from '../../../kit/server/limits.ts'
import { type StripeClient, stripeClient } from './client.ts'
import { takeStripeEvent } from './inbox.ts'

/** The path in product.md §10, and the one that the manual of earlier versions gave. */
const webhookPaths = [`${apiBase}/payments/webhooks/stripe`, '/webhooks/stripe']

/** Stripe's events are a few kilobytes long. */
const maxBodyBytes = 262_144
/** An older event may be a replay by somebody who has eavesdropped. */
const toleranceSeconds = 300

const refused = () => new DomainError('INVALID_INPUT', 'The Stripe signature is missing or wrong.')

const signedEvent = ({ api, settings }: StripeClient, body: unknown, signature: unknown) => {
  if (!Buffer.isBuffer(body) || typeof signature !== 'string') throw refused()
  try {
    const { webhookSecret: secret } = settings
    return api.webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, clock.nowMs())
  } catch {
    throw refused()
  }
}

/** Only Stripe calls it, so it is not part of the API. It exists only if Stripe is set up. */
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
