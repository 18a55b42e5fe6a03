/**
 * Delivers one email. A retry keeps the mail id, and so the Message-ID and the file name. An address that its server
 * refuses for good is not tried again with this email; every other failure throws, and the job tries again.
 */
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Transporter } from 'nodemailer'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { paths } from '../../kit/paths.ts'
import { autocommit } from '../../kit/server/db.ts'
import type { Button } from './emailParts.ts'
import { type Failure, finalRefusal, isOfOne, mayBeOfUs, printable } from './mailFailures.ts'
import { htmlOf, type MailContent, textOf } from './mailTemplate.ts'
import { forgetRefusal, recordRefusal, recordTrouble, troubleEndsHours } from './queries.ts'

export type Mail = {
  mailId: string
  /** Without a name where nobody has shown yet that the address is theirs: a stranger may have chosen it. */
  to: { name: string | null; address: string }
  subject: string
  text: string
  /** The screen that the email leads to. */
  screen: { label: string; path: string }
  /** Of an email whose whole point is a link. */
  button?: Button | undefined
  /** Why it came, as a sentence; without it: because of an account. */
  because?: string
  /** The token that turns such emails off; null where nobody can. */
  turnOff?: string | null
  sections?: MailContent['sections']
}

/** A job that sends an email. Its time is longer than all steps of `timeLimits` together: a job that expires sends twice. */
export const emailJob = { expireMinutes: 15, neverPaused: 'BY_ADMIN', sendsEmail: true } as const

type MailOptions = {
  /** Without it, emails are written as .eml files. */
  smtpUrl?: string | undefined
  from: string
  /** Base of the link in the last line. */
  publicUrl: string
  /** Where the .eml files go. */
  folder: string
}

let options: MailOptions | undefined
let transport: Promise<Transporter> | undefined

export const useMail = (given: MailOptions): void => {
  options = given
  transport = undefined
}

const current = (): MailOptions => {
  if (!options) throw new Error('Call useMail() first')
  return options
}

/** False without a mail server: what is written then lies in a folder. */
export const mailGoesOut = (): boolean => current().smtpUrl !== undefined

/** The whole address of a screen, for a link in the middle of an email. */
export const publicAddress = (path: string): string => current().publicUrl + path

/** The last one is for each step of the conversation, of which there are at most ten. */
const timeLimits = { connectionTimeout: 10_000, greetingTimeout: 20_000, socketTimeout: 60_000 }

/** Every email on its way has a connection of its own: one that waited for it would do so in its job's time. */
const connections = { pool: true, maxConnections: Infinity } as const

/** nodemailer is loaded with the first email: many servers never send one. */
const openTransport = async ({ smtpUrl }: MailOptions): Promise<Transporter> => {
  const { default: nodemailer } = await import('nodemailer')
  return smtpUrl
    ? nodemailer.createTransport({ url: smtpUrl, ...connections, ...timeLimits })
    : nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
}

export const closeMail = async (): Promise<void> => {
  const closing = transport
  transport = undefined
  if (closing) (await closing).close()
}

/** One press in the mail program (RFC 8058). It posts to this address, which therefore carries the token in its query. */
const oneClickHeaders = (token: string) => ({
  'List-Unsubscribe': `<${publicAddress(paths.unsubscribeByPost(token))}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

const turnOffOf = (token: string) => ({
  label: 'Turn off these emails',
  address: publicAddress(paths.unsubscribeWith(token)),
})

const contentOf = ({ to, subject, text, screen, button, because, turnOff, sections }: Mail): MailContent => ({
  subject,
  name: to.name,
  text,
  button: button ?? { label: screen.label, address: publicAddress(screen.path) },
  foot: {
    because: because ?? 'You get this email because your address belongs to a Fieldtest account.',
    turnOff: turnOff ? turnOffOf(turnOff) : null,
  },
  ...(sections && { sections }),
})

const send = async (mail: Mail): Promise<void> => {
  const { mailId, to, subject } = mail
  const { from, smtpUrl, folder } = current()
  const content = contentOf(mail)
  transport ??= openTransport(current())
  const sent: { message?: unknown } = await (
    await transport
  ).sendMail({
    from,
    to: { name: to.name ?? '', address: to.address },
    subject,
    text: textOf(content, publicAddress(mail.screen.path)),
    html: htmlOf(content),
    ...(mail.turnOff && { headers: oneClickHeaders(mail.turnOff) }),
    messageId: `<${mailId}@fieldtest>`,
  })
  if (smtpUrl || !Buffer.isBuffer(sent.message)) return
  // Emails carry links that sign in: only the server's own user reads them, also in a folder that was there before.
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const file = join(folder, `${mailId}.eml`)
  await writeFile(`${file}.part`, sent.message, { mode: 0o600 })
  await rename(`${file}.part`, file)
}

/** So many in a row, of different addresses, are not refused each for itself: the mail server takes nothing from us. */
const mostInRow = 5
/** When each address failed for a reason that may be ours, since the last email that this server sent. */
const failedInRow = new Map<string, string>()

/** Failures that lie far apart say nothing together. */
const isAllFailing = (address: string) => {
  const now = clock.now()
  const since = hoursAfter(now, -troubleEndsHours)
  for (const [failed, at] of failedInRow) if (at < since) failedInRow.delete(failed)
  if (failedInRow.size < mostInRow || failedInRow.has(address)) failedInRow.set(address, now)
  return failedInRow.size >= mostInRow
}

export const deliver = async (mail: Mail): Promise<void> => {
  const { address } = mail.to
  try {
    await send(mail)
  } catch (error) {
    const failure = error as Failure
    const isTrouble = !isOfOne(failure) || (mayBeOfUs(failure) && isAllFailing(address))
    const answer = isTrouble ? null : finalRefusal(failure)
    if (answer === null) {
      const reason = printable(error instanceof Error ? error.message : String(error))
      const trouble = { server: hostname(), reason, now: clock.now() }
      if (isTrouble) await recordTrouble(autocommit, trouble).catch(() => undefined)
      throw error
    }
    return recordRefusal(autocommit, { address, answer, now: clock.now() })
  }
  failedInRow.clear()
  // The email is out: a failure here would send it again, and the next one forgets the refusal.
  await forgetRefusal(autocommit, { address, server: hostname(), now: clock.now() }).catch(() => undefined)
}
