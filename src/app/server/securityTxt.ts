/** `/.well-known/security.txt` (RFC 9116): where to report a vulnerability. */
import type { FastifyInstance } from 'fastify'
import { clock, daysAfter } from '../../kit/clock.ts'
import type { Env } from './env.ts'

/** The RFC requires an expiry date. Each response has a new one. */
const validDays = 180

/** RFC 2142 reserves this mailbox for the purpose. */
const contactOf = ({ SECURITY_CONTACT, PUBLIC_URL }: Pick<Env, 'SECURITY_CONTACT' | 'PUBLIC_URL'>) =>
  SECURITY_CONTACT ?? `mailto:security@${PUBLIC_URL === undefined ? 'localhost' : new URL(PUBLIC_URL).hostname}`

export const mountSecurityTxt = (app: FastifyInstance, env: Pick<Env, 'SECURITY_CONTACT' | 'PUBLIC_URL'>): void => {
  app.get('/.well-known/security.txt', (_request, reply) => {
    const lines = [
      `Contact: ${contactOf(env)}`,
      `Expires: ${daysAfter(clock.now(), validDays)}`,
      'Preferred-Languages: en',
      ...(env.PUBLIC_URL ? [`Canonical: ${env.PUBLIC_URL}/.well-known/security.txt`] : []),
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}
