import { useNow } from '../../kit/web/now.ts'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { quoted } from '../../kit/words.ts'
import type { CampaignTester } from '../contract.ts'
import { givesSeatBack } from '../rules.ts'
import { isFrozen } from '../situation.ts'
import { lastOptOut, mostOptOuts } from '../terms.ts'
import { api, refreshTests } from './calls.ts'
import { fullDays } from './days.ts'

const costs = (test: CampaignTester): string => {
  if (isFrozen(test))
    return 'The developer loses your unbroken days. You cannot opt in again unless an admin grants your appeal; your days then start over at day 1.'
  if (!givesSeatBack(test) && test.campaign.appliedAt !== null)
    return 'The developer has applied for production access, so nobody has to stay. Your review and your pay stay as they are.'
  if (!givesSeatBack(test))
    return `Your review and your pay stay as they are. The developer loses your unbroken days${test.optOuts + 1 < mostOptOuts ? ': if you come back, they begin at day 1.' : `. This is opt-out number ${mostOptOuts}: you cannot opt in again, unless changes to your proof are requested.`}`
  if (test.optOuts + 1 >= lastOptOut)
    return `${test.optOuts + 1 === lastOptOut ? 'This is your third opt-out. It' : 'You have opted out more than twice before. This opt-out'} gives up your seat at once: the test ends without pay, and you cannot join it again.`
  return `Your days stop counting. If you come back, they start over at day 1. If you are not back within ${test.campaign.dropHours} hours, you lose your seat and your pay.`
}

/** Says what opting out costs before it happens. */
export const OptOutDialog = ({ of: test, onClose }: { of: CampaignTester; onClose: () => void }) => {
  const now = useNow()
  const { id, run, optOuts, campaign } = test
  const count = optOuts + 1
  const costsSeat = givesSeatBack(test)
  const losesSeat = costsSeat && count >= lastOptOut
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Report that you opted out of ${quoted(campaign.title)} on Google Play?`}
      description={costs(test)}
      items={[
        { label: 'Unbroken so far', value: fullDays(run?.startedAt ?? now, now) },
        {
          label: 'Opt-outs with this one',
          value: costsSeat && count <= lastOptOut ? `${count} of ${lastOptOut}` : count,
        },
        ...(losesSeat ? [{ label: 'Forfeited pay', value: <Money cents={campaign.payPerTesterCents} /> }] : []),
      ]}
      confirmLabel={losesSeat ? 'Report opt-out and give up the seat' : 'Report opt-out'}
      dismissLabel="Stay opted in"
      tone="destructive"
      onConfirm={async () => {
        await api.optOut({ params: { id } })
        notify.success(`Your opt-out of ${quoted(campaign.title)} is recorded`)
        void refreshTests()
      }}
    />
  )
}
