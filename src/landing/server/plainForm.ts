/**
 * The waitlist form as a browser sends it without script: the same use case, answered with a way back to the page,
 * where `:target` shows the sentence. Not part of the API.
 */
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../kit/errors.ts'
import { parse } from '../../kit/server/input.ts'
import { WaitlistWish } from '../contract.ts'
import { joinWaitlist } from './landing.ts'

/** Another site's page must not fill our list through its visitors. Old browsers do not say where a form stood. */
const isForeign = (site: unknown) => site !== undefined && site !== 'same-origin' && site !== 'none'

export const mountPlainForm = async (app: FastifyInstance, options: { limited: boolean }): Promise<void> => {
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4096 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    scope.post('/waitlist', { schema: { hide: true } }, async (request, reply) => {
      const caller = { ip: request.ip, userAgent: '', requestId: request.id }
      try {
        if (isForeign(request.headers['sec-fetch-site'])) throw new DomainError('FORBIDDEN', 'Use our own page.')
        await joinWaitlist(parse(WaitlistWish, request.body, 'body') as WaitlistWish, caller, options)
        return reply.redirect('/#joined', 303)
      } catch (error) {
        if (error instanceof DomainError) return reply.redirect('/#refused', 303)
        throw error
      }
    })
  })
}
