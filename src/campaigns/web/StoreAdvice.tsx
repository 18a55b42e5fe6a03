/** What the stores require, and how many seats that takes. Shown beside the fields, and loaded after them. */
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import type { BasisPoints } from '../../kit/money.ts'
import { counted } from '../../kit/words.ts'
import { type Advice, preflight } from '../preflight.ts'
import { mayCost } from '../quote.ts'
import { hasTesterList } from '../rules.ts'
import { SpareSeats } from './SpareSeats.tsx'
import { useNewTerms } from './calls.ts'
import type { CampaignFormState } from './campaignValues.ts'

type Props = {
  of: CampaignFormState
  /** This campaign's fee rate, or that of new campaigns. */
  fee: BasisPoints
  /** The developer took the advice, so nothing else is proposed. */
  onChosen?: () => void
}

export const StoreAdvice = ({ of: form, fee, onChosen }: Props) => (
  <>
    <Preflight of={form} {...(onChosen && { onChosen })} />
    <Spare of={form} fee={fee} />
  </>
)

const isCount = (figure: number | undefined): figure is number => Number.isSafeInteger(figure) && Number(figure) > 0

const tones: Record<Advice['verdict'], 'green' | 'blue' | 'yellow'> = {
  MEETS: 'green',
  FALLS_SHORT: 'blue',
  NOT_COUNTED: 'blue',
  FORBIDDEN: 'yellow',
}

/** The stores' requirements, as advice: it never blocks the form. One press sets what Google requires. */
const Preflight = ({ of: form, onChosen }: Pick<Props, 'of' | 'onChosen'>) => {
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

/** For a closed test: how many seats to offer, shown beside the price. */
const Spare = ({ of: form, fee }: Pick<Props, 'of' | 'fee'>) => {
  const [platform, seats, payPerTesterCents, mode = 'OPEN_LINK'] = form.watch([
    'platform',
    'testersRequired',
    'payPerTesterCents',
    'accessMode',
  ])
  const terms = useNewTerms()
  if (platform === 'ios' || !hasTesterList(mode) || !terms.data) return null
  if (seats === undefined || payPerTesterCents === undefined || !mayCost(seats, payPerTesterCents)) return null
  return (
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
  )
}
