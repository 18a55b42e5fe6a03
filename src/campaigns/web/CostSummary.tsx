import type { ReactNode } from 'react'
import { Card, type DescriptionItem, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { TestModeBadge } from '../../kit/web/ui/TestMode.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { type BasisPoints, formatCents } from '../../kit/money.ts'
import type { Quote } from '../quote.ts'
import { limits } from '../terms.ts'
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
  /** This campaign's fee rate, or that of new campaigns. */
  fee: BasisPoints
  more?: (cost: Quote) => DescriptionItem[]
  note: ReactNode
}) => {
  const [testers = 0, payPerTesterCents = 0] = form.watch(['testersRequired', 'payPerTesterCents'])
  const cost = quoteOf({ testersRequired: testers, payPerTesterCents }, fee)
  return (
    <Card title="Cost" action={<TestModeBadge />} footer={<p className="text-muted-foreground">{note}</p>}>
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
        <p aria-live="polite" className="text-muted-foreground">
          Enter {limits.minTesters} to {limits.maxTesters} testers and a payment from {formatCents(limits.minPayCents)}{' '}
          to {formatCents(limits.maxPayCents)} each to see the cost.
        </p>
      )}
    </Card>
  )
}
