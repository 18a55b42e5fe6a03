/** `npm run resume`: resumes paused jobs; those of a restored copy only after `npm run reconcile`. Recorded in the audit log. */
import { allJobs } from '../src/app/server/routes.ts'
import { autocommit } from '../src/kit/server/db.ts'
import { openPause } from '../src/kit/server/pauses.ts'
import type { History } from '../src/ledger/server/history.ts'
import { resume } from '../src/ledger/server/resuming.ts'
import { runCommand, say, whichDatabase } from './command.ts'
import { environment, onDatabase } from './onDatabase.ts'
import { findKeys, withHistory } from './restored.ts'
import { optionsOf } from './options.ts'

const usage = `Usage: npm run resume [-- --provider-file <file>] [--keys <folder>] [--accept-differences] [--send-old-emails]

Resumes the jobs. A restored copy must first be compared with the provider (npm run reconcile), which is Stripe if
STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are set.

${whichDatabase}

--accept-differences  resumes although npm run reconcile found differences that do not resolve themselves
--send-old-emails     sends the emails that were waiting when the backup was made; by default they are not sent, because the
                      original has sent them`

/** Email queues, which are paused in a restored copy but not by an admin's pause. */
const emailQueues = allJobs.flatMap(({ name, cron, neverPaused }) =>
  neverPaused === 'BY_ADMIN' && !cron ? [name] : [],
)

const main = async () => {
  const { values } = optionsOf({
    options: {
      'provider-file': { type: 'string' },
      keys: { type: 'string' },
      'accept-differences': { type: 'boolean', default: false },
      'send-old-emails': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return say(usage)
  const env = environment()
  await onDatabase(env, async () => {
    const goOn = async (history?: History) => {
      const { lost, emails } = await resume({
        history,
        acceptDifferences: values['accept-differences'],
        sendOldEmails: values['send-old-emails'],
        emailQueues,
      })
      say('Jobs resumed. Running servers pick this up within a second.')
      if (lost > 0) say(`${lost} of the provider’s movements will be booked as soon as possible.`)
      if (emails > 0) say(`${emails} emails that were waiting in the backup will not be sent.`)
    }
    if ((await openPause(autocommit))?.reason !== 'RESTORED') return goOn()
    await findKeys(env, values.keys)
    await withHistory(env, values['provider-file'], goOn)
  })
}

await runCommand(main)
