/** Accounts with an email address at a throw-away domain, and how they are graded (product.md §6). Pure. */
import type { Instant } from '../kit/clock.ts'
import type { Finding } from './rules.ts'

/** An account and the part of its email after the @. */
export type MailAccount = {
  userId: string
  role: 'DEVELOPER' | 'TESTER'
  suspended: boolean
  domain: string
  createdAt: Instant
  confirmedAt: Instant | null
}

/** The listed domain that this one equals or is below, because services also give out names below their own. */
export const listedDomainOf = (domain: string, listed: ReadonlySet<string>): string | undefined => {
  const names = domain.toLowerCase().split('.')
  return names.map((_, place) => names.slice(place).join('.')).find(name => listed.has(name))
}

/**
 * At most MEDIUM: people who value their privacy use such addresses too, and HIGH would hold up what the account is owed. Testers
 * are paid; developers pay.
 */
export const throwAwayMail = (
  { userId, role, suspended, domain, createdAt, confirmedAt }: MailAccount,
  listed: ReadonlySet<string>,
): Finding | undefined => {
  const found = listedDomainOf(domain, listed)
  if (found === undefined) return undefined
  return {
    kind: 'THROW_AWAY_MAIL',
    key: `throw-away-mail:${userId}`,
    parts: [found],
    userId,
    severity: role === 'TESTER' ? 'MEDIUM' : 'LOW',
    facts: {
      domain: found,
      account: { at: createdAt, userId, role, suspended },
      ...(confirmedAt !== null && { confirmedAt }),
    },
  }
}
