/**
 * What the landing page says in our own words, or draws, must match the product. Each claim is paired with the screen that shows it
 * or the rule that enforces it, and with words that occur there. The specification's pitch, figures and quotes (spec §1, §2, §9)
 * are exempt.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FrontPage } from './FrontPage.tsx'

const root = join(import.meta.dirname, '../../../..')

type Pair = [claim: string, file: string, words: string]

const participations = 'src/participations'
const clock = 'src/continuity/web/ClosedTestClock.tsx'

/** The claim is the beginning of a text on the page; the file is where the product shows or enforces it. */
const pairs: Pair[] = [
  // The picture of a campaign.
  ['A campaign in Fieldtest: 12 testers in rows', `${participations}/web/MatrixTable.tsx`, 'role="grid"'],
  ['Live', 'src/campaigns/web/CampaignBadge.tsx', "LIVE: 'green'"],
  ['Day 11 of 14', clock, 'Day'],
  ['3 days until you can apply for production', clock, 'Earliest date'],
  ['Tester', 'src/campaigns/alias.ts', 'Tester ${ordinal}'],
  ['checked in', `${participations}/web/DayDialog.tsx`, 'CheckInDetails'],
  ['is at risk', `${participations}/web/ParticipationBadge.tsx`, 'At risk'],
  ['No check-in for 48 hours.', 'src/settings/terms.ts', 'atRiskHours'],
  ['Held for testers', 'src/campaigns/seats.ts', 'escrowOf'],
  ['Paid to each tester once you verify', 'migrations/functions/pay_verified.sql', 'pay_testers'],
  // How it works.
  [
    '12 testers for 14 days, as Google Play requires',
    'src/campaigns/terms.ts',
    'googleRule = { testers: 12, days: 14 }',
  ],
  ['Three steps on each side.', 'src/campaigns/web/NextStep.tsx', 'NextStep'],
  ['From a build to a verified closed test.', clock, 'Day'],
  ['Describe what to test, for how many days', 'src/campaigns/web/CostSummary.tsx', "label: 'Total'"],
  ['Set the countries and OS versions', `${participations}/eligibility.ts`, 'Needs a tester from'],
  ['See every check-in, review the proof', `${participations}/web/ReviewDesk.tsx`, 'Evidence'],
  ['From your phone to your balance.', 'src/kit/paths.ts', 'balance'],
  ['Create an account and join with the phone', `${participations}/web/device.ts`, 'detectDevice'],
  ['Check in once a day, and write down', `${participations}/web/CheckInForm.tsx`, 'note'],
  ['Once your test is verified, your pay lands', 'migrations/functions/pay_testers.sql', 'TESTER_BALANCE'],
  // Features.
  ['Testers, check-ins, feedback and payments', `${participations}/web/TesterMatrix.tsx`, 'TesterMatrix'],
  ['Real people on real devices, with activity', `${participations}/web/MatrixTable.tsx`, 'deviceWords'],
  ['Test verified', 'migrations/functions/pay_verified.sql', "'Verified test'"],
  ['Completed', 'src/ledger/terms.ts', "'COMPLETED'"],
  ['Withdrawal', 'src/ledger/contract.ts', 'withdraw'],
  ['Pending', 'src/ledger/terms.ts', "'PENDING'"],
  ['Pay is set aside before a test starts', 'migrations/functions/settle_charge.sql', 'CAMPAIGN_ESCROW'],
  ['12 testers, 11 days in a row', 'src/continuity/rules.ts', 'unbrokenTesters'],
  ['Meet the store’s closed-testing requirement', 'src/continuity/web/RunTable.tsx', 'At risk'],
  ['Day 10', `${participations}/web/DayList.tsx`, 'CheckInDetails'],
  ['Testers answer your form, report bugs', `${participations}/web/FeedbackFields.tsx`, 'due.questions'],
  ['Yes 9, No 2', 'src/feedback/web/QuestionResultCard.tsx', 'testers'],
  ['Fixed in 1.2', 'src/bugs/web/looks.ts', 'stateOf'],
  ['NDA accepted', `${participations}/web/NdaStep.tsx`, 'name'],
  ['Version 1', 'src/nda/contract.ts', 'version'],
  ['The link to your build stays hidden', 'src/campaigns/server/toCampaign.ts', 'seesLink'],
  ['17 of 20 seats taken', 'src/campaigns/web/CampaignTerms.tsx', 'Testers joined'],
  ['Testers who match your app claim open seats', `${participations}/web/JoinCampaignButton.tsx`, 'Join Campaign'],
  // For developers and for testers.
  ['Google Play requires new personal accounts', 'src/continuity/rules.ts', 'requiredDays = 14'],
  ['See the earliest date you can apply', clock, 'Earliest date'],
  ['When a tester leaves, their seat reopens', 'migrations/functions/close_all_unpaid.sql', 'seats_taken - seats'],
  ['Get unspent money back', 'migrations/functions/refund_all_unused.sql', 'refund_surpluses'],
  ['Opted in without a break', 'src/continuity/web/RunBar.tsx', 'RunBar'],
  ['Two left. The spare seats kept the date.', 'src/continuity/rules.ts', 'earliestDateWithout'],
  ['12 testers, 2 to spare', 'src/continuity/web/words.ts', 'above'],
  ['Sixteen testers opted in', 'src/continuity/web/RunTable.tsx', 'When each tester opted in'],
  ['Pick apps that match your phone.', `${participations}/web/Obstacle.tsx`, 'Obstacle'],
  ['Withdraw your balance once it reaches a small', 'migrations/functions/cancel_campaign.sql', 'Cancelled test'],
  // Pricing.
  ['You choose how many testers you want', 'src/campaigns/quote.ts', 'testersRequired * payPerTesterCents'],
  ['Testers’ pay', 'src/landing/web/front/calculated.ts', 'quote('],
  ['Platform fee (', 'src/settings/terms.ts', 'platformFee'],
  ['1 to 100 testers, at least $1 each.', 'src/campaigns/terms.ts', 'minPayCents: 100'],
  ['Pay per tester', 'src/campaigns/web/CampaignCard.tsx', 'Pay per tester'],
  ['Total', 'src/campaigns/web/CostSummary.tsx', "label: 'Total'"],
  ['No subscription. Each plan covers', 'src/campaigns/terms.ts', 'durationDays: 14'],
  ['Real devices, daily check-ins', `${participations}/web/CheckIn.tsx`, 'checkIn'],
  ['Proof from each tester to review', `${participations}/web/ReviewDesk.tsx`, 'Evidence'],
  ['Open seats go to the next tester', 'migrations/functions/offer_seats.sql', 'bench_entries'],
  ['The store’s 12, with room to spare', 'src/continuity/rules.ts', 'requiredTesters = 12'],
  ['A wider range of phones', `${participations}/web/DevicesCard.tsx`, 'deviceWords'],
  ['Old and new OS versions', `${participations}/eligibility.ts`, 'or newer'],
  ['Several countries at once', 'src/campaigns/web/CountriesInput.tsx', 'countries'],
]

/** Texts from the specification, invented examples in the pictures, and statements that are not about what the product does. */
const pitch = [
  /^(Real testers\.|A faster launch\.|I Need Testers|Start Earning|Get testers|Earn as a tester|Create your campaign|Or set your own price|Choose \w+|Request a custom plan)$/,
  /^(How it works|Developers|Testers|Post your app|Choose testers|Get verified results|Sign up and verify device|Test apps and give feedback|Get paid)$/,
  /^(Verified testers|Automatic payouts|14-day tracking|Feedback and bug reports|NDAs and privacy controls|Fast turnaround)$/,
  /^(Everything a closed test needs|For developers: 12 testers, 14 days, no gaps|For testers: get paid to try apps before they launch)$/,
  /^(Pay per campaign|Starter|Growth|Pro|Most popular|for \d+ testers|14-day test cycle|Everything in \w+|Larger needs\?)$/,
  /^(For a first outside opinion\.|For a closed test that has to count\.|For more devices and countries\.|Custom plans for .*)$/,
  /^(testers earn per test cycle|apps tested monthly|average test period|14 days)$/,
  /^(Tidewater 2\.0|Android · 12 of 12 testers|· \$10\.00 each|Today|play\.google\.com\/|apps\/testing|[\w ]+ · Android \d+|Pixel 7)$/,
  /^(Would you keep it\?|#3 Search forgets what I typed|The new sync felt instant today\.|Search forgets what I typed.*|Signing up took me two tries.*|Sync felt instant today\.|Dark mode hides the date\.)$/,
]

const decoded = (html: string) =>
  html.replaceAll('&amp;', '&').replaceAll('&#x27;', '’').replaceAll('&quot;', '"').replaceAll(/\s+/g, ' ').trim()

/** The texts between tags and the descriptions of pictures, in the sections that are about the product. */
const textsOf = (html: string): string[] => {
  const sections = html.slice(html.indexOf('<main'), html.indexOf('id="testimonials"'))
  const shown = [...sections.matchAll(/>([^<>]+)</g), ...sections.matchAll(/aria-label="([^"]+)"/g)]
  return [...new Set(shown.map(([, text]) => decoded(text!)))].filter(text => /\p{L}{3}/u.test(text))
}

const texts = textsOf(renderToStaticMarkup(<FrontPage />))

test('every claim of our own on the page is paired with what shows or enforces it', () => {
  const unpaired = texts.filter(
    text => !pairs.some(([claim]) => text.startsWith(claim)) && !pitch.some(words => words.test(text)),
  )
  expect(unpaired).toEqual([])
})

test.each(pairs)('“%s” stands on the page, and in the product: %s has “%s”', (claim, file, words) => {
  expect(texts.some(text => text.startsWith(claim))).toBe(true)
  expect(readFileSync(join(root, file), 'utf8')).toContain(words)
})
