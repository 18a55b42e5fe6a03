/**
 * Telling people by email. What is to be told is recorded as a job in the transaction of its cause and sent by a
 * retried job: through SMTP when it is configured, else as .eml files in the data folder (product.md §8).
 */
import { randomUUID } from 'node:crypto'
import { userOf } from '../../accounts/server/accounts.ts'
import { autocommit, type Tx } from '../../app/server/db.ts'
import { enqueue, type Job } from '../../app/server/jobs.ts'
import { type Occasion, type Occasions, writeLetter } from './letters.ts'
import { deliver } from './mail.ts'

type MailFacts = { mailId: string; userId: string; occasion: Occasion; facts: Occasions[Occasion] }

export const sendMail: Job<MailFacts> = {
  name: 'notifications.send-mail',
  run: async ({ mailId, userId, occasion, facts }) => {
    const user = await userOf(autocommit, userId)
    const { subject, text } = writeLetter(occasion, facts)
    await deliver({ mailId, to: { name: user.name, address: user.email }, subject, text })
  },
}

export const tell = <O extends Occasion>(tx: Tx, userId: string, occasion: O, facts: Occasions[O]): Promise<void> =>
  enqueue(tx, sendMail, { mailId: randomUUID(), userId, occasion, facts })
