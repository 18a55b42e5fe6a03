import { useNow } from '../../kit/web/now.ts'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { quoted } from '../../kit/words.ts'
import type { CampaignTester } from '../contract.ts'
import { api, refreshTests } from './calls.ts'
import { daysCheckedIn, doneOf, stripOf } from './days.ts'
import { daysPaidFor } from './daysDone.ts'
import { leavingPay, waitedLong } from './leavingPay.ts'

type Props = { of: CampaignTester; open: boolean; onOpenChange: (open: boolean) => void }

const ofBench = ({ bench }: CampaignTester) => ({
  description: `${bench?.offerEndsAt ? 'The seat goes to the next tester, and you' : 'You'} lose your place in line. You can rejoin the bench, but at the end of the line.`,
  confirmLabel: 'Leave the bench',
})

/**
 * If a changed NDA waits, leaving means refusing it. That fails if the developer has just withdrawn the NDA, and with it the pay.
 */
const refuses = ({ actions }: CampaignTester) => actions.includes('refuseNda')

const ofRefusal = (test: CampaignTester, paidCents: number) => ({
  description: 'You do not accept the NDA and are paid for the days completed. You cannot join this campaign again.',
  items: [
    ...(test.campaign.dailyCheckIn
      ? [
          {
            label: 'Days checked in',
            value: `${Math.min(daysCheckedIn(test).size, test.campaign.durationDays)} of ${test.campaign.durationDays}`,
          },
        ]
      : []),
    { label: 'You are paid', value: <Money cents={paidCents} />, strong: true },
  ],
  confirmLabel: 'Refuse and leave',
})

/** Without daily check-ins, the days that have passed count, as they would if the campaign were cancelled. */
const daysItem = (test: CampaignTester, now: string) => {
  const { dailyCheckIn, durationDays } = test.campaign
  const tested = test.waiting ? 0 : daysPaidFor(test, now)
  return {
    label: dailyCheckIn ? 'Days checked in' : 'Days tested',
    value: `${dailyCheckIn ? doneOf(stripOf(test, now)) : tested} of ${durationDays}`,
  }
}

/** Leaving pays nothing, except one day after a week of waiting to be let in. */
const ofTest = (test: CampaignTester, now: string) => {
  const { campaign } = test
  const paidCents = leavingPay(test, now)
  const waited = waitedLong(test, now)
  if (refuses(test) && !waited) return ofRefusal(test, paidCents)
  return {
    description: waited
      ? 'You waited a week to be let in, so you are paid for one day. You cannot join this campaign again.'
      : 'You will not be paid, and you cannot join this campaign again.',
    items: [
      daysItem(test, now),
      { label: 'Forfeited pay', value: <Money cents={campaign.payPerTesterCents - paidCents} /> },
      { label: 'You are paid', value: <Money cents={paidCents} />, strong: true },
    ],
    confirmLabel: refuses(test) ? 'Refuse and leave' : 'Leave test',
  }
}

export const LeaveDialog = ({ of: test, open, onOpenChange }: Props) => {
  const now = useNow()
  const title = quoted(test.campaign.title)
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Leave ${title}`}
      {...(test.status === 'WAITLISTED' ? ofBench(test) : ofTest(test, now))}
      tone="destructive"
      onConfirm={async () => {
        // The amount that the dialog shows: the server pays at least that, or refuses.
        const payCents = test.status === 'WAITLISTED' ? 0 : leavingPay(test, now)
        const asked = { params: { id: test.id }, ...(payCents > 0 && { body: { payCents } }) }
        await (refuses(test) ? api.refuseNda(asked) : api.leave(asked))
        notify.success(`You left ${title}`)
        void refreshTests()
      }}
    />
  )
}
