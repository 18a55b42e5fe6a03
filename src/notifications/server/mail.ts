/** Delivers one email. A retry keeps the mail id, and so the Message-ID and the file name. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transporter } from 'nodemailer'

export type Mail = {
  mailId: string
  to: { name: string; address: string }
  subject: string
  text: string
  /** The screen that the last line links to. */
  path: string
}

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

/** nodemailer is loaded with the first email: many servers never send one. */
const openTransport = async ({ smtpUrl }: MailOptions): Promise<Transporter> => {
  const { default: nodemailer } = await import('nodemailer')
  return smtpUrl
    ? nodemailer.createTransport({ url: smtpUrl, pool: true, maxConnections: 2 })
    : nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
}

export const closeMail = async (): Promise<void> => {
  const closing = transport
  transport = undefined
  if (closing) (await closing).close()
}

export const deliver = async ({ mailId, to, subject, text, path }: Mail): Promise<void> => {
  if (!options) throw new Error('Call useMail() first')
  transport ??= openTransport(options)
  const sent: { message?: unknown } = await (
    await transport
  ).sendMail({
    from: options.from,
    to,
    subject,
    text: `Hello ${to.name},\n\n${text}\n\nFieldtest\n${options.publicUrl}${path}\n`,
    messageId: `<${mailId}@fieldtest>`,
  })
  if (options.smtpUrl || !Buffer.isBuffer(sent.message)) return
  await mkdir(options.folder, { recursive: true })
  const file = join(options.folder, `${mailId}.eml`)
  await writeFile(`${file}.part`, sent.message)
  await rename(`${file}.part`, file)
}
