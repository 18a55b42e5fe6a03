import type { ReactNode } from 'react'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Card, type DescriptionItem, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { BasisPoints } from '../../kit/money.ts'
import { type Quote, preflight } from '../rules.ts'
import { type CampaignFormState, quoteOf } from './campaignValues.ts'
import { counted } from '../../kit/words.ts'
import { feeLabel } from './words.ts'

/** What the campaign costs, line by line, as it is being written; `more` for what was paid already. */
export const CostSummary = ({
  of: form,
  fee,
  more,
  note,
}: {
  of: CampaignFormState
  /** Of this campaign, or of those that are created now. */
  fee: BasisPoints
  more?: (cost: Quote) => DescriptionItem[]
  note: ReactNode
}) => {
  const [testers = 0, payPerTesterCents = 0] = form.watch(['testersRequired', 'payPerTesterCents'])
  const cost = quoteOf({ testersRequired: testers, payPerTesterCents }, fee)
  return (
    <Card title="Cost" footer={<p className="text-muted-foreground">{note}</p>}>
      {cost ? (
        <div aria-live="polite">
          <DescriptionList
            className="-my-2"
            items={[
              {
                label: (
                  <>
                    {counted(testers, 'tester')} × <Money cents={payPerTesterCents} />
                  </>
                ),
                value: <Money cents={cost.quotedPayCents} />,
              },
              { label: feeLabel(fee), value: <Money cents={cost.quotedFeeCents} /> },
              { label: 'Total', value: <Money cents={cost.totalCostCents} />, strong: true },
              ...(more?.(cost) ?? []),
            ]}
          />
        </div>
      ) : (
        <p className="text-muted-foreground">Say how many testers you need and what each one earns.</p>
      )}
    </Card>
  )
}

/** What the stores ask for; none of it stops the developer. */
export const Preflight = ({ of: form }: { of: CampaignFormState }) => {
  const [platform = 'android', testersRequired, durationDays, distributionLink] = form.watch([
    'platform',
    'testersRequired',
    'durationDays',
    'distributionLink',
  ])
  if (!testersRequired || !durationDays) return null
  return preflight({ platform, testersRequired, durationDays, distributionLink }).map(sentence => (
    <Alert key={platform} tone={platform === 'ios' ? 'yellow' : 'blue'} title="Good to know">
      {sentence}
    </Alert>
  ))
}
