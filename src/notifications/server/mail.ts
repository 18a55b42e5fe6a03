/** Delivery of one email. The mail's own id makes a repeated delivery recognisable: same Message-ID, same file. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transporter } from 'nodemailer'

export type Mail = {
  mailId: string
  to: { name: string; address: string }
  subject: string
  text: string
  /** The screen that the last line leads to. */
  path: string
}

type MailOptions = {
  /** Absent: mails become files. */
  smtpUrl?: string | undefined
  from: string
  /** Where the product is reached, for the mail's last line. */
  publicUrl: string
  /** Where .eml files go. */
  folder: string
}

let options: MailOptions | undefined
let transport: Promise<Transporter> | undefined

export const useMail = (given: MailOptions): void => {
  options = given
  transport = undefined
}

/** Loaded at the first mail: many a server never sends one. */
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
  if (!options) throw new Error('useMail() first')
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
