import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, FlaskConical, Radar } from 'lucide-react'
import { queryClient } from '../../kit/web/query.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { RefreshButton } from '../../kit/web/ui/RefreshButton.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { counted } from '../../kit/words.ts'
import { api, refreshFraud, statsQuery } from './calls.ts'
import type { Filters } from './fraudFilters.ts'
import { fraudKeys } from './keys.ts'

/** `exportable`: whether the list has rows to export. */
export const FraudActions = ({ filters, exportable }: { filters: Filters; exportable: boolean }) => {
  const samples = useMutation({
    mutationFn: () => api.generateSamples(),
    onSuccess: async ({ created }) => {
      await refreshFraud()
      notify.success(`${created} sample reports generated`)
    },
    onError: () => notify.error('Failed to generate sample reports'),
  })
  const csv = useMutation({
    mutationFn: async () => (await import('./exportReports.ts')).exportReports(filters),
    onError: () => notify.error('Failed to export fraud reports'),
  })
  return (
    <>
      <RefreshButton of={fraudKeys.all} />
      <Button variant="outline" loading={samples.isPending} onClick={() => samples.mutate()}>
        <FlaskConical aria-hidden /> Generate Samples
      </Button>
      <Button variant="outline" disabled={!exportable} loading={csv.isPending} onClick={() => csv.mutate()}>
        <Download aria-hidden /> Export
      </Button>
      <ScanButton />
    </>
  )
}

const pollMs = 500
const pause = () =>
  new Promise(resolve => {
    setTimeout(resolve, pollMs)
  })

/** Starts a scan, waits for it to finish and returns the result. */
const scanToItsEnd = async () => {
  const { id } = await api.scan()
  for (;;) {
    const stats = await queryClient.fetchQuery({ ...statsQuery, staleTime: 0 })
    if (stats.runningScan?.id !== id) return stats.lastScan
    await pause()
  }
}

const foundWords = (found: number) => (found === 0 ? 'nothing new' : counted(found, 'new report'))

const ScanButton = () => {
  const { data: stats } = useQuery(statsQuery)
  const scan = useMutation({
    mutationFn: scanToItsEnd,
    onSuccess: async ended => {
      await refreshFraud()
      if (ended?.state === 'FAILED')
        notify.error('The fraud scan failed. Reports found before the failure are in the list.')
      else notify.success(`Scan finished: ${foundWords(ended?.found ?? 0)}`)
    },
    onError: () => notify.error('Failed to trigger fraud scan'),
  })
  return (
    <Button loading={scan.isPending || Boolean(stats?.runningScan)} onClick={() => scan.mutate()}>
      <Radar aria-hidden /> Trigger Scan
    </Button>
  )
}
