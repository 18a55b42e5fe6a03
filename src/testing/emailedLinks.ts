/** The links in emails that were written to a folder. Also for the journeys, so it imports nothing of the server. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What registering sends to everybody: `emailsOf` leaves it out. */
export const confirmationSubject = 'Confirm your email address'

/** An email's source, with quoted-printable undone. */
const plainText = (source: string): string =>
  /^Content-Transfer-Encoding: quoted-printable\r?$/m.test(source)
    ? source
        .replaceAll('=\r\n', '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : source

/** The token of the link in an email. */
export const tokenIn = (source: string | undefined): string => {
  const token = /#token=([\w-]+)/.exec(plainText(source ?? ''))?.[1]
  if (token === undefined) throw new Error(`no link in ${source}`)
  return token
}

/** The tokens of the links in the emails to this address with this subject, in no order. */
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
