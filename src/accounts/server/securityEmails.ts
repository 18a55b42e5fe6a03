/** Warnings about an account: in the product, by email and, for a while, also to the account's former addresses. */
import { randomUUIDv7 } from 'node:crypto'
import { clock } from '../../kit/clock.ts'
import type { Tx } from '../../kit/server/db.ts'
import { enqueue, type Job } from '../../kit/server/jobs.ts'
import {
  type EmailFacts,
  emailJob,
  type EmailKind,
  notify,
  sendEmail,
} from '../../notifications/server/notifications.ts'
import { formerAddresses } from './emailLinks.queries.ts'

type Copy = { mailId: string; name: string; address: string; kind: EmailKind; facts: EmailFacts[EmailKind] }

export const sendCopy: Job<Copy> = {
  name: 'accounts.send-copy',
  ...emailJob,
  atOnce: 2,
  run: ({ mailId, name, address, kind, facts }) => sendEmail(mailId, { name, address }, kind, facts),
}

type Addressee = { email: string; name: string }

/** By email only, to former addresses of the account. */
export const sendCopies = async <K extends EmailKind>(
  tx: Tx,
  to: readonly Addressee[],
  kind: K,
  facts: EmailFacts[K],
): Promise<void> => {
  for (const { email, name } of to)
    await enqueue(tx, sendCopy, { mailId: randomUUIDv7(), name, address: email, kind, facts })
}

/** A thief may have moved the account to their own address; the owner still reads the old one. */
export const warn: typeof notify = async (tx: Tx, userId, kind, facts) => {
  await notify(tx, userId, kind, facts)
  await sendCopies(tx, await formerAddresses(tx, userId, clock.now()), kind, facts)
}
