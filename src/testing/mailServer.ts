/** A real SMTP server on loopback, for behavior that needs emails to be sent. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll } from 'vitest'

type Received = { to: string; subject: string; source: string }

export type MailServer = {
  url: () => string
  received: Received[]
  /** From now on it reads emails but does not answer, like a slow server. `held` counts them; `release` answers them. */
  hold: () => { held: () => number; release: () => void }
}

/** Declared before the file's application, it starts before it and stops after it. */
export const mailServer = (): MailServer => {
  const received: Received[] = []
  /** The answers held back; undefined when it answers at once. */
  let owed: (() => void)[] | undefined
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, answer) => {
      void text(stream).then(source => {
        const subject = /^Subject: (.*?)\r?$/m.exec(source)?.[1] ?? ''
        for (const { address } of session.envelope.rcptTo) received.push({ to: address, subject, source })
        if (owed) owed.push(answer)
        else answer()
      })
    },
  })
  beforeAll(async () => {
    smtp.listen(0, '127.0.0.1')
    await once(smtp.server, 'listening')
  })
  afterAll(() => new Promise<void>(resolve => smtp.close(resolve)))
  return {
    url: () => `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    received,
    hold: () => {
      const holding: (() => void)[] = []
      owed = holding
      const release = () => {
        owed = undefined
        for (const answer of holding) answer()
      }
      return { held: () => holding.length, release }
    },
  }
}
