import type { ReactNode } from 'react'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Card, type DescriptionItem, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { BasisPoints } from '../../kit/money.ts'
import { type Quote, preflight } from '../rules.ts'
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

const isCount = (figure: number | undefined): figure is number => Number.isSafeInteger(figure) && Number(figure) > 0

/** What the stores require; advice only, it does not block the form. */
export const Preflight = ({ of: form }: { of: CampaignFormState }) => {
  const [platform = 'android', testersRequired, durationDays, distributionLink] = form.watch([
    'platform',
    'testersRequired',
    'durationDays',
    'distributionLink',
  ])
  if (!isCount(testersRequired) || !isCount(durationDays)) return null
  return preflight({ platform, testersRequired, durationDays, distributionLink }).map(sentence => (
    <Alert key={platform} tone={platform === 'ios' ? 'yellow' : 'blue'} title="Good to know">
      {sentence}
    </Alert>
  ))
}
