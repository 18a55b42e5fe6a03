import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../kit/web/ui/Button.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { FraudScan, FraudStats } from '../contract.ts'
import { api, refreshFraud, statsQuery } from './calls.ts'

/** Below the list: when was looked last, and how to put away what is there. */
export const LastScan = () => {
  const { data: stats } = useQuery(statsQuery)
  if (!stats) return null
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-3 border-t pt-4 text-muted-foreground">
      <p role="status">
        <ScanWords running={stats.runningScan} last={stats.lastScan} />
        {!stats.runningScan && ' One also runs every night.'}
      </p>
      {stats.total > 0 && <ClearButton stats={stats} />}
    </div>
  )
}

const seconds = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

const durationWords = (ms: number) => (ms < 100 ? 'less than 0.1 s' : `${seconds.format(ms / 1000)} s`)

const ScanWords = ({ running, last }: { running: FraudScan | null; last: FraudScan | null }) => {
  if (running) return 'A scan is running.'
  if (!last?.finishedAt) return 'No scan has run yet.'
  const when = <RelativeTime at={last.finishedAt} />
  if (last.state === 'FAILED') return <>The last scan failed {when}.</>
  return (
    <>
      Last scan {when}: took {durationWords(last.durationMs ?? 0)} and made {(last.found ?? 0).toLocaleString('en-US')}{' '}
      {last.found === 1 ? 'report' : 'reports'}.
    </>
  )
}

const clear = async () => {
  const { samplesRemoved, archived } = await api.clear()
  await refreshFraud()
  notify.success(`${samplesRemoved} samples removed, ${archived} reports archived`)
}

const ClearButton = ({ stats: { total, samples } }: { stats: FraudStats }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setOpen(true)}>
        Clear reports
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Clear all reports?"
        description="Samples are removed. All other reports are archived: they leave this list, are kept, and are not reported again unless new facts join."
        items={[
          { label: 'Samples to remove', value: samples.toLocaleString('en-US') },
          { label: 'Reports to archive', value: (total - samples).toLocaleString('en-US') },
        ]}
        confirmLabel="Clear reports"
        tone="destructive"
        onConfirm={clear}
      />
    </>
  )
}
