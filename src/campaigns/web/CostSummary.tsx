import { type ReactNode, Suspense, lazy } from 'react'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card, type DescriptionItem, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { BasisPoints } from '../../kit/money.ts'
import { type Advice, preflight } from '../preflight.ts'
import { hasTesterList, type Quote } from '../rules.ts'
import { useNewTerms } from './calls.ts'
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

const SpareSeats = lazy(async () => ({ default: (await import('./SpareSeats.tsx')).SpareSeats }))

const isCount = (figure: number | undefined): figure is number => Number.isSafeInteger(figure) && Number(figure) > 0

const tones: Record<Advice['verdict'], 'green' | 'blue' | 'yellow'> = {
  MEETS: 'green',
  FALLS_SHORT: 'blue',
  NOT_COUNTED: 'blue',
  FORBIDDEN: 'yellow',
}

/** What the stores require; advice only, it does not block the form. One press sets what Google asks for. */
export const Preflight = ({ of: form, onChosen }: { of: CampaignFormState; onChosen?: () => void }) => {
  const [platform = 'android', testersRequired, durationDays, distributionLink, accessMode = 'OPEN_LINK'] = form.watch([
    'platform',
    'testersRequired',
    'durationDays',
    'distributionLink',
    'accessMode',
  ])
  if (!isCount(testersRequired) || !isCount(durationDays)) return null
  const { verdict, title, sentence, fix } = preflight({
    platform,
    testersRequired,
    durationDays,
    distributionLink,
    accessMode,
  })
  return (
    <Alert key={platform} tone={tones[verdict]} title={title}>
      <p>{sentence}</p>
      {fix && (
        <Button
          variant="outline"
          size="sm"
          className="mt-2 h-auto! py-1.5 text-left whitespace-normal!"
          onClick={() => {
            setFields(form, fix)
            onChosen?.()
          }}
        >
          {fix.accessMode === accessMode ? 'Set' : 'Use an email list,'} {counted(fix.testersRequired, 'tester')},{' '}
          {counted(fix.durationDays, 'day')}
        </Button>
      )}
    </Alert>
  )
}

const setFields = (form: CampaignFormState, fields: NonNullable<Advice['fix']>) => {
  const set = { shouldDirty: true, shouldTouch: true }
  form.setValue('testersRequired', fields.testersRequired, set)
  form.setValue('durationDays', fields.durationDays, set)
  form.setValue('accessMode', fields.accessMode, set)
  form.clearErrors(['testersRequired', 'durationDays', 'accessMode'])
}

/** For a closed test: how many seats to take, beside the price. */
export const Spare = ({ of: form, fee }: { of: CampaignFormState; fee: BasisPoints }) => {
  const [platform, seats, payPerTesterCents, mode = 'OPEN_LINK'] = form.watch([
    'platform',
    'testersRequired',
    'payPerTesterCents',
    'accessMode',
  ])
  const terms = useNewTerms()
  if (platform === 'ios' || !hasTesterList(mode) || !terms.data) return null
  if (!isCount(seats) || !isCount(payPerTesterCents)) return null
  return (
    <Suspense fallback={<Skeleton className="h-64 rounded-xl" />}>
      <SpareSeats
        dropOuts={terms.data.dropOuts}
        seats={seats}
        payPerTesterCents={payPerTesterCents}
        fee={fee}
        onTake={count => {
          form.setValue('testersRequired', count, { shouldDirty: true, shouldTouch: true })
          form.clearErrors('testersRequired')
        }}
      />
    </Suspense>
  )
}
