import type { ReactNode } from 'react'
import { Card, type DescriptionItem, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { BasisPoints } from '../../kit/money.ts'
import type { Quote } from '../rules.ts'
import { type CampaignFormState, quoteOf } from './campaignValues.ts'
import { counted } from '../../kit/words.ts'
import { feeLabel } from './words.ts'

/** The campaign's cost, line by line, updated with the form; `more` adds what was already paid. */
export const CostSummary = ({
  of: form,
  fee,
  more,
  note,
}: {
  of: CampaignFormState
  /** The fee of this campaign, or of new campaigns. */
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
        <p className="text-muted-foreground">Enter the number of testers and the payment per tester to see the cost.</p>
      )}
    </Card>
  )
}
