/**
 * `npm run reconcile`: what the payment provider did that this database does not know of, and the reverse. Changes nothing except
 * for noting on a restored copy that it was done, which `npm run resume` requires.
 */
import { formatCents } from '../src/kit/money.ts'
import { stripeSettings } from '../src/app/server/stripeSettings.ts'
import { compareWithProvider } from '../src/ledger/server/books.ts'
import { compareMovements, type Difference, differenceKinds } from '../src/ledger/server/comparing.ts'
import { autocommit } from '../src/kit/server/db.ts'
import { openPause } from '../src/kit/server/pauses.ts'
import { fileHistory } from '../src/ledger/server/history.ts'
import { connectStripe, stripeOrThrow } from '../src/ledger/server/stripe/client.ts'
import { stripeHistory } from '../src/ledger/server/stripe/history.ts'
import { stripe } from '../src/ledger/server/stripe/provider.ts'
import { unclaimedIn } from '../src/ledger/server/sandbox.ts'
import type { Movements } from '../src/ledger/server/movements.ts'
import { answerInFull } from '../src/operations/server/answers.ts'
import { checks } from '../src/operations/server/checkFiles.ts'
import { findingKinds } from '../src/ledger/terms.ts'
import { type Finding, reconcile, type Reconciled } from '../src/ledger/server/reconciling.ts'
import { runCommand, say, whichDatabase } from './command.ts'
import { environment, onDatabase } from './onDatabase.ts'
import { findKeys, findMovements } from './restored.ts'
import { optionsOf } from './options.ts'

const usage = `Usage: npm run reconcile [-- --provider-file <file>] [--keys <folder>]

Compares the sandbox’s movements (SANDBOX_FILE, or --provider-file) with the database, runs all data checks in full, and compares
our books with what the provider holds. --keys is the folder with encryption-key; by default, ENCRYPTION_KEY or the key in DATA_DIR
is used.
If STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are set, it instead compares everything that has moved our balance at Stripe, which
takes a while; for a restored copy, what Stripe has done that the copy does not know of.

${whichDatabase}

Exit code: 0 they agree; 2 they differ, but every difference resolves itself after \`npm run resume\`; 3 some differences have to be
looked at, a check is broken, or the books do not agree; 1 the comparison could not be run.`

const heads: Record<Finding['kind'], string> = {
  ARRIVED: 'In transit here, completed by the provider',
  LOST_PAYOUT: 'Payouts unknown to this database',
  LOST_REFUND: 'Refunds unknown to this database',
  LOST_CHARGE: 'Charges unknown to this database',
  UNKNOWN: 'Completed here, unknown to the provider',
  DIFFERS: 'Known to both, but different',
}

const print = ({ findings }: Reconciled) => {
  for (const kind of findingKinds) {
    const some = findings.filter(finding => finding.kind === kind)
    if (some.length === 0) continue
    const sum = some.reduce((cents, { amountCents }) => cents + amountCents, 0)
    say(`\n${heads[kind]}: ${some.length}, ${formatCents(sum)}`)
    for (const { what, id, of, amountCents, at, outcome } of some) {
      const columns = [what.padEnd(6), id, (at ?? '').padEnd(24), formatCents(amountCents).padStart(12), `of ${of}`]
      say(`  ${columns.join('  ')}\n    ${outcome}`)
    }
  }
}

const differenceHeads: Record<Difference['where'], string> = {
  THERE: 'Moved by the provider, unknown here',
  HERE: 'Booked here, unknown to the provider',
  BOTH: 'Known to both, but different',
  ON_ITS_WAY: 'On its way here, completed by the provider: resolves itself',
  ELSEWHERE: 'Moved by another installation on the same account, which needs an account of its own',
}

const printDifferences = (all: readonly Difference[]) => {
  for (const kind of differenceKinds) {
    const some = all.filter(({ where }) => where === kind)
    if (some.length === 0) continue
    say(`\n${differenceHeads[kind]}: ${some.length}`)
    for (const { kind: what, id, references, thereCents, hereCents } of some) {
      const amounts = [`there ${signed(thereCents)}`, `here ${signed(hereCents)}`]
      const made = kind === 'ELSEWHERE' ? `${references.length} movements` : references.join(' ')
      say(`  ${[what.padEnd(7), id, ...amounts, made].join('  ')}`)
    }
  }
}

const signed = (cents: number) => `${cents < 0 ? '-' : ''}${formatCents(Math.abs(cents))}`

type Held = NonNullable<Parameters<typeof compareWithProvider>[0]['provider']>

/**
 * Runs all of our own checks in full, and compares our books with what the provider holds. True if everything holds, considering
 * what is about to be booked.
 */
const printChecks = async (
  provider: Held,
  { wasPaused, awaitedCents = 0 }: Pick<Reconciled, 'wasPaused'> & { awaitedCents?: number },
): Promise<boolean> => {
  const all = await checks()
  const broken: string[] = []
  for (const check of all) {
    const answer = await answerInFull(check).catch((error: unknown) => String(error))
    if (typeof answer === 'string') broken.push(`${check.name}: ${answer}`)
    else if (answer.broken > 0)
      broken.push(`${check.name}: ${answer.broken} rows, such as ${JSON.stringify(answer.rows[0])}`)
  }
  say(`\nData checks: ${all.length - broken.length} of ${all.length} hold`)
  for (const line of broken) say(`  ${line}`)
  const { balanceCents, leastCents, mostCents, offCents } = await compareWithProvider({ inFull: true, provider })
  const span =
    leastCents === mostCents ? formatCents(mostCents) : `${formatCents(leastCents)} to ${formatCents(mostCents)}`
  say(
    `The provider holds ${formatCents(balanceCents)}, our books say ${span}${offCents === 0 ? '' : `: off by ${formatCents(offCents)}`}`,
  )
  // A restored copy does not know yet what the provider did after the backup; that is listed above.
  return broken.length === 0 && (offCents === 0 || offCents === awaitedCents || wasPaused)
}

const codeOf = ({ found, keysOpen, findings }: Reconciled) => {
  if (keysOpen === false) return 1
  if (found.UNKNOWN + found.DIFFERS > 0) return 3
  return findings.length > 0 ? 2 : 0
}

const compareSandbox = async (movements: Movements) => {
  const done = await reconcile(fileHistory(movements))
  say(
    `${movements.path}: ${done.found.movements} movements${movements.unreadable() > 0 ? `, ${movements.unreadable()} lines cut short` : ''}`,
  )
  print(done)
  const unclaimedCents = () => unclaimedIn(movements)
  const isRight = await printChecks({ name: 'sandbox', balanceCents: movements.balanceCents, unclaimedCents }, done)
  conclude(done, isRight)
}

const conclude = (done: Reconciled, isRight: boolean) => {
  if (done.findings.length === 0) say('The provider and the database agree.')
  if (done.keysOpen === false) say('\nThe encryption key cannot decrypt the data stored here: find the right one.')
  if (done.keysOpen === null) say('\nThere was nothing to test the encryption key on.')
  if (done.wasPaused && done.keysOpen !== false) say('\nRecorded. Run `npm run resume` to resume the jobs.')
  process.exitCode = isRight ? codeOf(done) : Math.max(codeOf(done), 3)
}

/** Compares a restored copy by what was done, not by what moved our balance. */
const compareRestored = async () => {
  const done = await reconcile(stripeHistory(stripeOrThrow()))
  say(`Stripe: ${done.found.movements} charges, transfers and refunds with ids of this product`)
  print(done)
  conclude(done, await printChecks(stripe, done))
}

const compareStripe = async () => {
  const found = await compareMovements(stripe)
  printDifferences(found)
  const fees = found.filter(({ kind, where }) => kind === 'FEE' && where === 'ON_ITS_WAY')
  const awaitedCents = fees.reduce((sum, { thereCents }) => sum + thereCents, 0)
  const isRight = await printChecks(stripe, { wasPaused: false, awaitedCents })
  if (found.length === 0) say('Stripe and the database agree.')
  const settlesItself = found.every(({ where }) => where === 'ON_ITS_WAY')
  const code = found.length > 0 ? 2 : 0
  process.exitCode = isRight && settlesItself ? code : 3
}

/** Not 2, which says that all differences settle themselves. */
const couldNot = 1

const main = async () => {
  const { values } = optionsOf(
    {
      options: { 'provider-file': { type: 'string' }, keys: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    },
    couldNot,
  )
  if (values.help) return say(usage)
  const env = environment()
  await onDatabase(env, async () => {
    const settings = stripeSettings(env, 'http://localhost')
    const isRestored = (await openPause(autocommit))?.reason === 'RESTORED'
    if (settings && (isRestored || values['provider-file'] === undefined)) {
      await connectStripe(settings)
      if (!isRestored) return compareStripe()
      await findKeys(env, values.keys)
      return compareRestored()
    }
    await findKeys(env, values.keys)
    const movements = await findMovements(env, values['provider-file'])
    try {
      await compareSandbox(movements)
    } finally {
      await movements.close()
    }
  })
}

await runCommand(main)
