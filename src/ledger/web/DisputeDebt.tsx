import { Suspense, lazy, useState } from 'react'
import { formatCents } from '../../kit/money.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card, DescriptionList } from '../../kit/web/ui/Card.tsx'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import type { DisputeCase } from '../disputesContract.ts'
import type { SettlementStep } from './SettlementDialog.tsx'

const SettlementDialog = lazy(async () => ({ default: (await import('./SettlementDialog.tsx')).SettlementDialog }))

const recorded = { PAID: 'paid by other means', WAIVED: 'waived', GIVEN_BACK: 'given back' } as const

/** What the developer owes for a lost dispute, and what admins have recorded about that. */
export const DisputeDebt = ({ of: dispute }: { of: DisputeCase }) => {
  const { developer, status, amountCents, coveredCents, setOffCents, settledCents, owedCents, giveBackCents } = dispute
  const { waivedCents, settleable, settlements } = dispute
  const paidCents = settledCents - waivedCents
  const [step, setStep] = useState<SettlementStep | null>(null)
  return (
    <Card
      title="Debt"
      className="lg:col-span-2"
      footer={
        (settleable || giveBackCents > 0) && (
          <div className="flex flex-wrap gap-2">
            {giveBackCents > 0 && <Button onClick={() => setStep('giveBack')}>Record as given back</Button>}
            {settleable && (
              <>
                <Button variant="outline" onClick={() => setStep('settle')}>
                  Record as paid
                </Button>
                <Button variant="ghost" onClick={() => setStep('waive')}>
                  Waive the debt
                </Button>
              </>
            )}
          </div>
        )
      }
    >
      {giveBackCents > 0 && (
        <Alert tone="yellow" className="mb-3" title={`Give back ${formatCents(giveBackCents)}`}>
          {developer.name} had paid this by other means, and no longer owes it. Give it back in the way it was paid, and
          record that here.
        </Alert>
      )}
      <DescriptionList
        className="-my-2"
        items={
          status === 'LOST'
            ? [
                { label: 'Taken back by the bank', value: <Money cents={amountCents} /> },
                { label: 'Covered by what the campaign had left', value: <Money cents={coveredCents} /> },
                ...(setOffCents > 0
                  ? [{ label: 'Offset against refunds still owed', value: <Money cents={setOffCents} /> }]
                  : []),
                ...(paidCents > 0 ? [{ label: 'Paid by other means', value: <Money cents={paidCents} /> }] : []),
                ...(waivedCents > 0 ? [{ label: 'Waived', value: <Money cents={waivedCents} /> }] : []),
                { label: 'Owed to the platform', value: <Money cents={owedCents} />, strong: true },
              ]
            : [{ label: 'Owed to the platform', value: <Money cents={owedCents} />, strong: true }]
        }
      />
      {owedCents > 0 && !settleable && (
        <p className="mt-4 max-w-prose text-muted-foreground">
          What the campaign does not need is still to be deducted. After that, the debt can be recorded as paid, or
          waived.
        </p>
      )}
      {settlements.length > 0 && (
        <ul className="mt-4 grid gap-3 border-t border-border pt-4">
          {settlements.map(({ id, kind, amountCents: cents, note, recordedBy, recordedAt }) => (
            <li key={id} className="min-w-0">
              <p className="wrap-anywhere">
                <Money cents={cents} className="font-semibold" /> {recorded[kind]}
                <span className="text-muted-foreground">
                  {' '}
                  · {recordedBy.name}, <DateTime at={recordedAt} withTime />
                </span>
              </p>
              {note !== null && <p className="whitespace-pre-wrap wrap-anywhere">{note}</p>}
            </li>
          ))}
        </ul>
      )}
      {step && (
        <Suspense>
          <SettlementDialog step={step} of={dispute} onClose={() => setStep(null)} />
        </Suspense>
      )}
    </Card>
  )
}
