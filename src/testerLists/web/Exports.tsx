import { useMutation } from '@tanstack/react-query'
import { Download, Eye } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { isRefusal, messageOf } from '../../kit/web/apiError.ts'
import { downloadBlob } from '../../kit/web/download.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { CopyButton, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { TesterList } from '../contract.ts'
import type { ExportForm } from '../terms.ts'
import { Step } from './Step.tsx'
import { api, refreshList } from './calls.ts'
import { changesIn, type ShownChanges } from './shownChanges.ts'
import { missingWords, placeOf } from './words.ts'

type Props = {
  campaignId: string
  list: TesterList
  /** The last export was made, but its file did not arrive. */
  missed: boolean
  /** Called with the time of the previous export, because a failed one may have been made all the same. */
  onFailed: (before: TesterList['exportedAt']) => void
  onArrived: () => void
  /** `isCurrent`: no export is under way, and the list knows the last one. */
  children: (isCurrent: boolean) => ReactNode
}

/** The two exports, ordered by how the place of the list uses them; `children` is the step after them. */
export const Exports = ({ campaignId, list, missed, onFailed, onArrived, children }: Props) => {
  const [shown, setShown] = useState<{ changes: ShownChanges; before: TesterList['exportedAt'] } | null>(null)
  // Keeps the shown changes until the list has loaded again and knows the export, and hides them once it is confirmed or out of
  // date.
  if (shown && shown.before !== list.exportedAt && list.state !== 'EXPORTED') setShown(null)
  const fetchFile = (form: ExportForm) => api.export({ params: { id: campaignId }, query: { form } })
  const outcome = {
    onMutate: () => list.exportedAt,
    // Pending until the list knows the export: confirming the one before it would be refused.
    onSuccess: () => {
      onArrived()
      return refreshList()
    },
    onError: (error: unknown, _sent: unknown, before: TesterList['exportedAt'] | undefined) => {
      notify.error(messageOf(error, 'Failed to export the tester list'))
      // A refused request made no export.
      if (!isRefusal(error)) onFailed(before ?? null)
      return refreshList()
    },
  }
  const save = useMutation({
    ...outcome,
    mutationFn: async (form: ExportForm) =>
      downloadBlob(form === 'play' ? 'tester-list.csv' : 'tester-changes.csv', await fetchFile(form)),
  })
  const show = useMutation({
    ...outcome,
    mutationFn: async () => {
      const changes = changesIn(await (await fetchFile('changes')).text())
      setShown({ changes, before: list.exportedAt })
    },
  })
  const { whole, changes, warning } = placeOf(list.accessMode)
  const missing = missingWords(list)
  const changed = list.additions.length + list.removals.length > 0
  const due = list.state === 'TO_EXPORT' || list.state === 'CHANGED'
  const inGroup = list.accessMode === 'GOOGLE_GROUP'
  // The whole list comes first because it can be uploaded, unless that would remove somebody who should stay.
  const changesFirst = inGroup || missing !== null
  const saving = (form: ExportForm) => save.isPending && save.variables === form
  const wholeStep = (
    <Step
      key="whole"
      title={inGroup ? 'The whole list' : 'The whole list, for Play Console'}
      hint={[whole, missing].filter(Boolean).join(' ')}
    >
      <Button
        variant={due && !changesFirst ? 'primary' : 'outline'}
        disabled={list.testers === list.unnamed.aliases.length}
        loading={saving('play')}
        onClick={() => save.mutate('play')}
      >
        <Download aria-hidden /> Download the whole list
      </Button>
    </Step>
  )
  const changesStep = (
    <Step key="changes" title="Only what changed" hint={changes}>
      <Button
        variant={due && changesFirst ? 'primary' : 'outline'}
        disabled={!changed}
        loading={show.isPending}
        onClick={() => show.mutate()}
      >
        <Eye aria-hidden /> Show and copy
      </Button>
      <Button variant="outline" disabled={!changed} loading={saving('changes')} onClick={() => save.mutate('changes')}>
        <Download aria-hidden /> Download the changes
      </Button>
      {shown && <Shown changes={shown.changes} />}
    </Step>
  )
  return (
    <>
      {/* If testers are missing from the whole list, neither file may be uploaded; the tab then says whom it would remove. */}
      {warning && changed && missing === null && (
        <Alert tone="yellow" title="Upload the whole list, never the changes">
          {warning}
        </Alert>
      )}
      {missed && (
        <Alert tone="yellow" title="The last export did not reach you">
          The list was exported {list.exportedAt && <RelativeTime at={list.exportedAt} />}, but its file did not arrive.
          The file you have is older: export the list again before you confirm.
        </Alert>
      )}
      <ol className="grid gap-6">
        {changesFirst ? [changesStep, wholeStep] : [wholeStep, changesStep]}
        {children(!save.isPending && !show.isPending)}
      </ol>
      <p className="text-xs text-muted-foreground">
        Testers agreed that you may use their addresses for this test. Each export is recorded in the activity and in
        the audit log.
      </p>
    </>
  )
}

const Shown = ({ changes: { added, removed } }: { changes: ShownChanges }) => (
  <div role="status" className="grid w-full gap-3">
    {added.length + removed.length === 0 && <p>There are no addresses to add or remove.</p>}
    <Addresses title="Add" addresses={added} />
    <Addresses title="Remove" addresses={removed} />
  </div>
)

const Addresses = ({ title, addresses }: { title: string; addresses: readonly string[] }) =>
  addresses.length > 0 && (
    <section className="min-w-0 rounded-md border p-3">
      <div className="flex items-center justify-between gap-2">
        <h4 className="font-medium">{title}</h4>
        {/* Play Console and Google Groups accept several addresses separated by commas. */}
        <CopyButton text={addresses.join(', ')} label={`Copy ${addresses.length}`} />
      </div>
      <ul className="mt-1 grid gap-0.5">
        {addresses.map(address => (
          <li key={address} className="wrap-anywhere select-all">
            {address}
          </li>
        ))}
      </ul>
    </section>
  )
