/**
 * The waitlist form as a browser without JavaScript submits it. Redirects back to the page, where `:target` shows the
 * result. Not part of the API.
 */
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../kit/errors.ts'
import { callerOf } from '../../kit/server/http.ts'
import { parse } from '../../kit/server/input.ts'
import { WaitlistSignUp } from '../contract.ts'
import { joinWaitlist } from './landing.ts'

/** Other sites must not submit the form through their visitors. Old browsers do not send the header. */
const isCrossSite = (site: unknown) => site !== undefined && site !== 'same-origin' && site !== 'none'

export const mountPlainForm = async (app: FastifyInstance, options: { limited: boolean }): Promise<void> => {
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4096 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    scope.post('/waitlist', async (request, reply) => {
      try {
        if (isCrossSite(request.headers['sec-fetch-site']))
          throw new DomainError('FORBIDDEN', 'Submit this form from our own page.')
        await joinWaitlist(parse(WaitlistSignUp, request.body, 'body') as WaitlistSignUp, callerOf(request), options)
        return reply.redirect('/#joined', 303)
      } catch (error) {
        if (error instanceof DomainError) return reply.redirect('/#refused', 303)
        throw error
      }
    })
  })
}
