import { Download } from 'lucide-react'
import { type ComponentProps, Suspense, lazy, useState } from 'react'
import { messageOf } from '../../../kit/web/apiError.ts'
import { downloadJson } from '../../../kit/web/download.ts'
import { useTask } from '../../../kit/web/task.ts'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Card } from '../../../kit/web/ui/Card.tsx'
import { notify } from '../../../kit/web/ui/toast.tsx'
import { api } from '../calls.ts'

const DeleteAccountDialog = lazy(async () => ({
  default: (await import('./DeleteAccountDialog.tsx')).DeleteAccountDialog,
}))

type DialogProps = ComponentProps<typeof DeleteAccountDialog>

/** Exporting all personal data, and deleting the account. `balance` provides the balance that the deletion would give up. */
export const DataCards = ({ balance }: Pick<DialogProps, 'balance'>) => (
  <>
    <ExportCard />
    <DeletionCard balance={balance} />
  </>
)

const ExportCard = () => {
  const exporting = useTask(async () => {
    try {
      downloadJson('fieldtest-my-data.json', await api.exportMe())
    } catch (error) {
      notify.error(messageOf(error))
    }
  })
  return (
    <Card
      title="Your data"
      description="Download all the data we store about you as a JSON file."
      action={
        <Button variant="outline" size="sm" loading={exporting.pending} onClick={() => void exporting.run()}>
          <Download aria-hidden /> Export my data
        </Button>
      }
    />
  )
}

const DeletionCard = ({ balance }: Pick<DialogProps, 'balance'>) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Card
        title="Delete account"
        description="Permanently deletes your personal data. Payment records are kept without your name."
        action={
          <Button variant="destructive" size="sm" onClick={() => setOpen(true)}>
            Delete account
          </Button>
        }
      />
      {open && (
        <Suspense>
          <DeleteAccountDialog balance={balance} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
