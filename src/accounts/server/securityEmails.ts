/** Warnings about an account: in the product, by email, and for a while also at the address that it had before. */
import { randomUUIDv7 } from 'node:crypto'
import { clock } from '../../kit/clock.ts'
import type { Tx } from '../../kit/server/db.ts'
import { enqueue, type Job } from '../../kit/server/jobs.ts'
import { notify, sendEmail } from '../../notifications/server/notifications.ts'
import { formerAddresses } from './emailLinks.queries.ts'

type Warnings = Parameters<typeof notify>
type Copy = { mailId: string; name: string; address: string; kind: Warnings[2]; facts: Warnings[3] }

export const sendCopy: Job<Copy> = {
  name: 'accounts.send-copy',
  expireMinutes: 2,
  atOnce: 5,
  run: ({ mailId, name, address, kind, facts }) => sendEmail(mailId, { name, address }, kind, facts),
}

/** Whoever took the account over may have moved it to an address of their own: its owner still reads the old one. */
export const warn: typeof notify = async (tx: Tx, userId, kind, facts) => {
  await notify(tx, userId, kind, facts)
  for (const { email, name } of await formerAddresses(tx, userId, clock.now()))
    await enqueue(tx, sendCopy, { mailId: randomUUIDv7(), name, address: email, kind, facts })
}
