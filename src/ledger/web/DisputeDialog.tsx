import { formatCents } from '../../kit/money.ts'
import { invalidate } from '../../kit/web/query.ts'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { DisputeCase } from '../disputesContract.ts'
import { disputesCalls } from './disputeCalls.ts'
import { ledgerKeys } from './keys.ts'

const schema = async () => (await import('../disputesContract.ts')).disputesApi.noteDispute.body

const words = {
  WON: {
    title: 'Record as won?',
    description: () =>
      'The payment stands, and refunds on hold are paid. Testers can join again, and the end date is extended by the time the campaign was frozen, unless it has ended or another of its payments is disputed or lost. This is final.',
    label: 'Record as won',
    done: 'Recorded as won',
  },
  LOST: {
    title: 'Record as lost?',
    description: ({ amountCents, ended }: DisputeCase) =>
      `${formatCents(amountCents)} leaves the provider’s account${ended ? '' : ', and the campaign accepts no new testers'}. This is final.`,
    label: 'Record as lost',
    done: 'Recorded as lost',
  },
  NOTE: {
    title: 'Note on the dispute',
    description: ({ note }: DisputeCase) =>
      note === null ? 'For other admins who view this dispute.' : 'Replaces the last note.',
    label: 'Save the note',
    done: 'Note saved',
  },
} as const

type Props = { asked: keyof typeof words; of: DisputeCase; onClose: () => void }

export const DisputeDialog = ({ asked, of: dispute, onClose }: Props) => (
  <ReasonDialog
    form={useSchemaForm(schema, { note: dispute.note ?? '' })}
    name="note"
    label="Note"
    onClose={onClose}
    title={words[asked].title}
    description={words[asked].description(dispute)}
    hint="Only admins see this."
    submitLabel={words[asked].label}
    {...(asked === 'LOST' && { submitVariant: 'destructive' })}
    onSubmit={async ({ note }) => {
      const params = { id: dispute.id }
      try {
        if (asked === 'NOTE') await disputesCalls.noteDispute({ params, body: { note } })
        else await disputesCalls.decideDispute({ params, body: { outcome: asked, note } })
      } finally {
        void invalidate(ledgerKeys.all)
      }
      notify.success(words[asked].done)
    }}
  />
)
