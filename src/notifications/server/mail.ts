/** Delivery of one email. The mail's own id makes a repeated delivery recognisable: same Message-ID, same file. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer, { type Transporter } from 'nodemailer'

export type Mail = { mailId: string; to: { name: string; address: string }; subject: string; text: string }

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
let transport: Transporter | undefined

export const useMail = (given: MailOptions): void => {
  options = given
  transport = given.smtpUrl
    ? nodemailer.createTransport({ url: given.smtpUrl, pool: true, maxConnections: 2 })
    : nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
}

export const closeMail = (): void => transport?.close()

export const deliver = async ({ mailId, to, subject, text }: Mail): Promise<void> => {
  if (!options || !transport) throw new Error('useMail() first')
  const sent: { message?: unknown } = await transport.sendMail({
    from: options.from,
    to,
    subject,
    text: `Hello ${to.name},\n\n${text}\n\nFieldtest\n${options.publicUrl}/dashboard\n`,
    messageId: `<${mailId}@fieldtest>`,
  })
  if (options.smtpUrl || !Buffer.isBuffer(sent.message)) return
  await mkdir(options.folder, { recursive: true })
  const file = join(options.folder, `${mailId}.eml`)
  await writeFile(`${file}.part`, sent.message)
  await rename(`${file}.part`, file)
}
