import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, FlaskConical, Radar } from 'lucide-react'
import { useEffect } from 'react'
import { messageOf } from '../../kit/web/apiError.ts'
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
    onError: error => notify.error(messageOf(error, 'Failed to export fraud reports')),
  })
  return (
    <>
      <RefreshButton of={fraudKeys.all} />
      <Button variant="outline" loading={samples.isPending} onClick={() => samples.mutate()}>
        <FlaskConical aria-hidden /> Generate Samples
      </Button>
      <ScanButton />
      <Button variant="outline" disabled={!exportable} loading={csv.isPending} onClick={() => csv.mutate()}>
        <Download aria-hidden /> Export
      </Button>
    </>
  )
}

const foundWords = (found: number) => (found === 0 ? 'nothing new' : counted(found, 'new report'))

/** Starts a scan. It counts as running from the answer on, so the figures are polled until it has ended. */
const startScan = async () => {
  const scan = await api.scan()
  // An older answer does not know of the scan and would stop the polling.
  await queryClient.cancelQueries({ queryKey: fraudKeys.stats })
  queryClient.setQueryData(statsQuery.queryKey, stats => stats && { ...stats, runningScan: scan })
  void refreshFraud()
  return scan.id
}

const ScanButton = () => {
  // The cards on this page load the figures.
  const { data: stats } = useQuery({ ...statsQuery, refetchOnMount: false, retryOnMount: false })
  const scan = useMutation({
    mutationFn: startScan,
    onError: () => notify.error('Failed to trigger fraud scan'),
  })
  const ended = stats?.lastScan?.id === scan.data ? stats?.lastScan : null
  useEffect(() => {
    if (!ended) return
    if (ended.state === 'FAILED')
      notify.error('The fraud scan failed. Reports found before the failure are in the list.')
    else notify.success(`Scan finished: ${foundWords(ended.found ?? 0)}`)
  }, [ended])
  return (
    <Button loading={scan.isPending || Boolean(stats?.runningScan)} onClick={() => scan.mutate()}>
      <Radar aria-hidden /> Trigger Scan
    </Button>
  )
}
