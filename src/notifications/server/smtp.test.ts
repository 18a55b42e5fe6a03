import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { paths } from '../../kit/paths.ts'
import { fundedBy } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'

/** A real SMTP server on loopback that can refuse emails for a while. */
type Received = { to: string[]; source: string }
const received: Received[] = []
let refusals = 0

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, session, answer) => {
    void text(stream).then(source => {
      if (refusals > 0) {
        refusals--
        return answer(Object.assign(new Error('try again later'), { responseCode: 451 }))
      }
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address), source })
      return answer()
    })
  },
})

// Stopped last: hooks after the tests run in the reverse order.
beforeAll(async () => {
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
})
afterAll(() => new Promise<void>(resolve => smtp.close(resolve)))

const t = testApp(() => ({
  SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
  MAIL_FROM: 'Fieldtest <hello@fieldtest.test>',
  PUBLIC_URL: 'https://fieldtest.test/',
}))
const developer = signedUp(t, 'DEVELOPER')
const admin = signedUp(t, 'ADMIN')

beforeEach(() => {
  received.length = 0
})

const approveOne = async (title: string) => {
  const { id } = await fundedBy(developer, { title })
  await admin.call('POST', `/admin/campaigns/${id}/approve`)
  return id
}
/** Undoes the folding of long lines. */
const lastLineOf = (source: string | undefined) => source?.replaceAll('=\r\n', '').trimEnd().split('\r\n').at(-1)

test('an approval reaches its developer through SMTP, with our sender and its subject', async () => {
  await approveOne('Łódź trams')
  await t.advance(0)
  expect(received).toHaveLength(1)
  expect(received[0]?.to).toEqual([developer.user.email])
  expect(received[0]?.source).toContain('From: Fieldtest <hello@fieldtest.test>')
  expect(received[0]?.source).toMatch(/^Subject: =\?UTF-8\?/m)
})

test('an email ends with a link to what it is about, or else to the dashboard', async () => {
  const id = await approveOne('Linked')
  await t.advance(0)
  expect(lastLineOf(received[0]?.source)).toBe(`https://fieldtest.test${paths.campaign(id)}`)
  await admin.call('POST', `/admin/users/${developer.user.id}/message`, { subject: 'Hello', message: 'Text' })
  await t.advance(0)
  expect(lastLineOf(received[1]?.source)).toBe('https://fieldtest.test/dashboard')
})

test('a busy mail server gets the email later, once, and with the same Message-ID', async () => {
  refusals = 1
  await approveOne('Second try')
  await t.advance(0)
  expect(received).toHaveLength(0)
  await t.advance(1)
  await t.advance(1)
  expect(received).toHaveLength(1)
  expect(received[0]?.source).toMatch(/^Message-ID: <[0-9a-f-]{36}@fieldtest>/im)
})
