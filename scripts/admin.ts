/**
 * `npm run admin -- create`: creates an admin, which registration cannot (product.md §5). `delete`: deletes one, which no other
 * admin can. `reset-second-factor`: for somebody who has lost theirs. These work whether or not a server is running on the
 * database; `replace-encryption-key` works only while none is.
 */
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Registration } from '../src/accounts/contract.ts'
import { type Env, readEnv } from '../src/app/server/env.ts'
import { type Replaced, replaceEncryptionKey } from '../src/app/server/secrets.ts'
import { counted } from '../src/kit/words.ts'
import { createAdmin, deleteAdmin } from '../src/accounts/server/accounts.ts'
import { resetSecondFactor } from '../src/accounts/server/secondFactorReset.ts'
import { startJobs, stopJobs } from '../src/kit/server/jobs.ts'
import { sendMail } from '../src/notifications/server/notifications.ts'
import { runCommand, say, whichDatabase } from './command.ts'
import { environment, onDatabase } from './onDatabase.ts'
import { optionsOf, refuse } from './options.ts'

const usage = `Usage: npm run admin -- create [--email <address>] [--name <name>]
       npm run admin -- delete <address>
       npm run admin -- reset-second-factor <address>
       npm run admin -- replace-encryption-key [--make]

create: creates an admin, and prompts for what is missing if run in a terminal. The password comes from ADMIN_PASSWORD or the
prompt; if it is left empty, or there is no terminal, one is generated and shown once. This is recorded in the audit log, and the
other admins are notified by email.

delete: deletes the account of an admin who has left, or whose account should not exist, just as they could themselves. They are
signed out everywhere; this is recorded in the audit log with their name, and the other admins are notified by email. Prompts for
the address again if run in a terminal. The only admin cannot be deleted.

reset-second-factor: removes a user's passkeys, authenticator app and recovery codes, and signs them out everywhere. They then sign
in with the password alone and set up a new factor. Make sure that the request really comes from them: the reset is recorded in the
audit log, and they are notified by email.

replace-encryption-key: for an encryption key that is lost for good. Stop all servers first. They then start with the key in
ENCRYPTION_KEY, or else the one in the data folder; --make creates one there if it is missing. What the lost key encrypted stays
unreadable.

${whichDatabase}`

/** Asks on the terminal; `hidden` does not echo the input. */
const ask = async (question: string, { hidden = false } = {}): Promise<string> => {
  let silent = false
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!silent) process.stdout.write(chunk)
      done()
    },
  })
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  // Ctrl-C and Ctrl-D close the terminal before there is an answer.
  terminal.once('SIGINT', () => process.exit(130))
  const ended = new Promise<never>((_, reject) => {
    terminal.once('close', () => reject(new Error('Cancelled: nothing was changed.')))
  })
  try {
    const answer = terminal.question(`${question}: `)
    silent = hidden
    const text = await Promise.race([answer, ended])
    if (hidden) say('')
    return text
  } finally {
    ended.catch(() => undefined)
    terminal.close()
  }
}

const onTerminal = process.stdin.isTTY && process.stdout.isTTY

const required = async (given: string | undefined, option: string, question: string) => {
  if (given !== undefined) return given
  if (onTerminal) return ask(question)
  throw new Error(`--${option} is missing.\n\n${usage}`)
}

const choosePassword = async (): Promise<{ password: string; madeUp: boolean }> => {
  const given = process.env.ADMIN_PASSWORD
  if (given) return { password: given, madeUp: false }
  const typed = onTerminal ? await ask('Password (leave empty to have one made up)', { hidden: true }) : ''
  if (typed === '') return { password: randomBytes(12).toString('base64url'), madeUp: true }
  NewAdmin.shape.password.parse(typed)
  if ((await ask('Repeat the password', { hidden: true })) !== typed) throw new Error('Passwords do not match')
  return { password: typed, madeUp: false }
}

const NewAdmin = Registration.pick({ email: true, name: true, password: true })

/** Emails are jobs: the server sends them, now or when it next starts. */
const withEmails = async (work: () => Promise<void>) => {
  await startJobs([sendMail], { work: false, onError: error => process.stderr.write(`${String(error)}\n`) })
  try {
    await work()
  } finally {
    await stopJobs()
  }
}

const resetFactor = async (address: string) => {
  const email = NewAdmin.shape.email.parse(address)
  let had = false
  await onDatabase(environment(), () =>
    withEmails(async () => {
      had = await resetSecondFactor(email)
    }),
  )
  say(had ? `${email} no longer has a second factor and is signed out everywhere.` : `${email} has no second factor.`)
}

const deleteOne = async (address: string) => {
  const email = NewAdmin.shape.email.parse(address)
  const question = 'This cannot be undone. Repeat the address to delete the account'
  if (onTerminal && (await ask(question)).trim().toLowerCase() !== email)
    throw new Error('The addresses do not match. Nothing was deleted.')
  let name = ''
  await onDatabase(environment(), () =>
    withEmails(async () => {
      name = await deleteAdmin(email)
    }),
  )
  say(`The admin account of ${name} (${email}) has been deleted and signed out everywhere.`)
}

const replaceKey = async (make: boolean) => {
  const { ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS } = process.env
  const env = { ...environment(), ...keysIn(readEnv({ ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS })) }
  let replaced: Replaced | null = null
  await onDatabase(env, async () => {
    replaced = await replaceEncryptionKey(env, { make, say })
  })
  say(
    replaced
      ? whatWasReplaced(replaced)
      : 'The current encryption key can decrypt the data in this database. Nothing was changed.',
  )
}

const whatWasReplaced = ({ key, before, apps, addresses }: Replaced) =>
  `Servers now start with the current encryption key, with the ID ${key}. Keep a copy of it. ${before ? `The previous key had the ID ${before}.` : ''}
Cannot be decrypted with the current key: ${counted(apps, 'authenticator app')}; Play addresses: ${addresses}.
If you find the lost key before people have set up new ones, put it back and run this command again.`

const keysIn = ({ ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS }: Env) => ({ ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS })

const create = async (options: { email?: string | undefined; name?: string | undefined }) => {
  const env = environment()
  // Each answer is validated before the next question.
  const email = NewAdmin.shape.email.parse(await required(options.email, 'email', 'Email'))
  const name = NewAdmin.shape.name.parse(await required(options.name, 'name', 'Full name'))
  const { password, madeUp } = await choosePassword()
  const admin = NewAdmin.parse({ email, name, password })
  // Printed before the database is closed, because the password would be lost if closing failed.
  const make = async () => {
    await createAdmin(admin)
    say(`${admin.name} can now sign in as admin: ${admin.email}`)
    if (madeUp) say(`Password (it is not shown again): ${password}`)
  }
  await onDatabase(env, () => withEmails(make), { mayMake: true })
}

const main = async () => {
  const { values, positionals } = optionsOf({
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      make: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const [command, ...rest] = positionals
  if (command === undefined || values.help) return say(usage)
  if (command === 'delete' && rest.length === 1) return deleteOne(rest[0]!)
  if (command === 'reset-second-factor' && rest.length === 1) return resetFactor(rest[0]!)
  if (command === 'replace-encryption-key' && rest.length === 0) return replaceKey(values.make)
  if (command === 'delete' || command === 'reset-second-factor')
    refuse(`${command} needs one email address.\n\n${usage}`)
  if (command !== 'create' || rest.length > 0) refuse(`Unknown command: “${positionals.join(' ')}”.\n\n${usage}`)
  await create(values)
}

await runCommand(main)
