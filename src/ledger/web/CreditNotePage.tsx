import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import type { Refund } from '../contract.ts'
import { api } from './calls.ts'
import { ledgerKeys } from './keys.ts'
import { ForCampaign, PaperPage, PaperSheet, partsOf, Person, Reference } from './Paper.tsx'

/** The credit note of one refund. */
export const CreditNotePage = () => {
  const { id = '' } = useParams()
  const refund = useQuery({
    queryKey: ledgerKeys.refund(id),
    queryFn: ({ signal }) => api.refund({ params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? 3000 : false),
  })
  return (
    <PaperPage of={refund} title="Credit note" subject="refund">
      {loaded => <CreditNote of={loaded} />}
    </PaperPage>
  )
}

const CreditNote = ({ of: refund }: { of: Refund }) => (
  <PaperSheet
    status={refund.status}
    facts={[
      { label: 'Number', value: <Reference id={refund.id} /> },
      { label: 'Date', value: <DateTime at={refund.createdAt} withTime /> },
      {
        label: 'Refunded',
        value: refund.settledAt === null ? 'Processing' : <DateTime at={refund.settledAt} withTime />,
      },
      { label: 'For', value: <ForCampaign of={refund} /> },
      { label: 'Refunded to', value: <Person of={refund} /> },
      { label: 'Payment method', value: refund.paymentMethod },
    ]}
    sums={[...partsOf(refund), { label: 'Total refunded', value: <Money cents={refund.totalCents} />, strong: true }]}
    note="The unused part of your payment for this campaign, refunded to the original payment method."
  />
)
