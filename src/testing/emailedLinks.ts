/** Reads the links in emails that were written to a folder. Journeys use it too, so it imports nothing of the server. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Everybody who registers gets this email, so `emailsOf` leaves it out. */
export const confirmationSubject = 'Confirm your email address'

const undoQuotedPrintable = (body: string): string =>
  Buffer.from(
    body
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

/** The text or HTML of an email, as a mail program shows it; '' if it has none. */
export const partOf = (source: string, type: 'text/plain' | 'text/html'): string => {
  const boundary = /^Content-Type: multipart\/alternative;\s+boundary="([^"]+)"/m.exec(source)?.[1]
  const parts = boundary === undefined ? [source] : source.split(`--${boundary}`)
  for (const part of parts) {
    const [head = '', ...rest] = part.split('\r\n\r\n')
    if (!head.includes(`Content-Type: ${type}`)) continue
    const body = rest.join('\r\n\r\n')
    if (/^Content-Transfer-Encoding: quoted-printable$/m.test(head)) return undoQuotedPrintable(body)
    if (/^Content-Transfer-Encoding: base64$/m.test(head)) return Buffer.from(body, 'base64').toString('utf8')
    return body
  }
  return ''
}

/** The token of the link in an email. */
export const tokenIn = (source: string | undefined): string => {
  const token = /#token=([\w-]+)/.exec(partOf(source ?? '', 'text/plain'))?.[1]
  if (token === undefined) throw new Error(`no link in ${source}`)
  return token
}

/** The tokens of the links in the emails with this subject to this address, in no particular order. */
export const tokensFor = async (
  { mailFolder }: { mailFolder: string },
  address: string,
  subject: string,
): Promise<string[]> => {
  const files = await readdir(mailFolder).catch(() => [])
  const mails = await Promise.all(
    files.filter(file => file.endsWith('.eml')).map(file => readFile(join(mailFolder, file), 'utf8')),
  )
  return mails
    .filter(mail => /^To: .*$/m.exec(mail)?.[0].includes(address) && mail.includes(`Subject: ${subject}\r\n`))
    .map(tokenIn)
}
