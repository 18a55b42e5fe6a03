/** The emails to admins about money that has gone wrong. Pure. */
import { type Cents, formatCents } from '../../kit/money.ts'
import type { Email } from './emailParts.ts'

export type MoneyEmailFacts = {
  /** `offCents`: by how much it is off in all; 0 where no amount is. */
  BREACH_FOUND: { breachId: string; check: string; rows: number; offCents: Cents }
}

export const moneyEmails: { [K in keyof MoneyEmailFacts]: (facts: MoneyEmailFacts[K]) => Email } = {
  BREACH_FOUND: ({ breachId, check, rows, offCents }) => ({
    subject: `Withdrawals are stopped: ${check}`,
    text: `The check “${check}” of our books found ${rows === 1 ? 'one row that is' : `${rows} rows that are`} wrong${offCents === 0 ? '' : `, by ${formatCents(offCents)} in all`}. Nobody is paid out until an admin has written down why withdrawals go on. Everything else goes on meanwhile.`,
    about: { kind: 'OPERATIONS', id: breachId },
  }),
}
