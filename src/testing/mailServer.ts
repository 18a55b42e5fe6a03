/** A real SMTP server on loopback, for what only happens where emails really go out. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll } from 'vitest'

type Received = { to: string; subject: string; source: string }

export type MailServer = {
  url: () => string
  received: Received[]
  /** Reads emails from now on without answering, like a server that is slow; how many it holds, and how it goes on. */
  hold: () => { held: () => number; release: () => void }
}

/** Started before the file's application, if it is declared before it, and stopped after it. */
export const mailServer = (): MailServer => {
  const received: Received[] = []
  /** While it holds: the answers that it owes. */
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
