/** With a slow mail server, no email waits inside this process while the time of its job runs out. */
import { expect, test } from 'vitest'
import { transact } from '../../kit/server/db.ts'
import { sendMail } from '../../notifications/server/notifications.ts'
import { inParallel } from '../../testing/observed.ts'
import { mailServer } from '../../testing/mailServer.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { sendLink } from './emailLinks.ts'
import { sendCopies, sendCopy } from './securityEmails.ts'

const mail = mailServer()
const t = testApp(() => ({ SMTP_URL: mail.url() }))
const admin = signedUp(t, 'ADMIN')
const person = signedUp(t, 'DEVELOPER')

const queues = [sendMail, sendLink, sendCopy]

test('as many emails as all queues allow are being sent to a slow server at the same time', async () => {
  await t.advance(0)
  const message = { subject: 'Hello', message: 'Text' }
  await inParallel(sendMail.atOnce!, () => admin.call('POST', `/admin/users/${person.user.id}/message`, message))
  await inParallel(sendLink.atOnce!, () => t.signUp('TESTER'))
  const former = Array.from({ length: sendCopy.atOnce! }, (_, index) => ({ email: `old${index}@x.test`, name: 'Old' }))
  await transact(tx => sendCopies(tx, former, 'SIGNED_OUT_EVERYWHERE', { userId: person.user.id }))
  const waiting = await t.look<{ name: string; data: never }>(
    "select name, data from pgboss.job where name = any($1) and state = 'created'",
    [queues.map(({ name }) => name)],
  )
  expect(waiting).toHaveLength(10)
  mail.received.length = 0
  const slow = mail.hold()
  const sent = Promise.all(waiting.map(({ name, data }) => queues.find(queue => queue.name === name)!.run(data)))
  await expect.poll(slow.held).toBe(10)
  slow.release()
  await sent
  expect(mail.received).toHaveLength(10)
})
