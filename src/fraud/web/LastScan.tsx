import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../kit/web/ui/Button.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import { counted, grouped, oneDecimal } from '../../kit/words.ts'
import type { FraudScan, FraudStats } from '../contract.ts'
import { api, refreshFraud, statsQuery } from './calls.ts'

/** Below the list: the last scan, and the button that clears the reports. */
export const LastScan = () => {
  const { data: stats } = useQuery(statsQuery)
  if (!stats) return null
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-3 border-t pt-4 text-muted-foreground">
      <p role="status">
        <ScanWords running={stats.runningScan} last={stats.lastScan} />
        {!stats.runningScan && (stats.lastScan ? ' Scans also run every night.' : ' Scans run every night.')}
      </p>
      {stats.total > 0 && <ClearButton stats={stats} />}
    </div>
  )
}

const durationWords = (ms: number) => (ms < 100 ? 'less than 0.1 s' : `${oneDecimal(ms / 1000)} s`)

const ScanWords = ({ running, last }: { running: FraudScan | null; last: FraudScan | null }) => {
  if (running) return 'A scan is running.'
  if (!last?.finishedAt) return 'No scans yet.'
  const when = <RelativeTime at={last.finishedAt} />
  if (last.state === 'FAILED') return <>The last scan failed {when}.</>
  return (
    <>
      Last scan {when}: took {durationWords(last.durationMs ?? 0)} and found {counted(last.found ?? 0, 'report')}.
    </>
  )
}

const clear = async () => {
  const { samplesRemoved, archived } = await api.clear()
  await refreshFraud()
  notify.success(`${counted(samplesRemoved, 'sample')} deleted, ${counted(archived, 'report')} archived`)
}

const ClearButton = ({ stats: { total, samples } }: { stats: FraudStats }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setOpen(true)}>
        Clear reports
      </Button>
      {open && (
        <ConfirmDialog
          open
          onOpenChange={setOpen}
          title="Clear all reports?"
          description="Samples are deleted. All other reports are archived: they are kept but no longer listed here, and are reported again only if there is new evidence. Goodwill pay held by undecided reports of high or critical severity is then released."
          items={[
            { label: 'Samples to delete', value: grouped(samples) },
            { label: 'Reports to archive', value: grouped(total - samples) },
          ]}
          confirmLabel="Clear reports"
          tone="destructive"
          onConfirm={clear}
        />
      )}
    </>
  )
}
