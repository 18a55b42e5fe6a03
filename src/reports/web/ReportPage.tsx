import { useQuery } from '@tanstack/react-query'
import { FileDown, Printer, Sheet } from 'lucide-react'
import { useParams } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { isMissing, messageOf } from '../../kit/web/apiError.ts'
import { downloadBlob } from '../../kit/web/download.ts'
import { usePaperColors } from '../../kit/web/paperColors.ts'
import { useTask } from '../../kit/web/task.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { MissingPage } from '../../kit/web/ui/MissingPage.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { ReportSheet } from './ReportSheet.tsx'
import { api, reportQuery } from './calls.ts'

/** The report of one campaign, ready to print or to download as PDF and CSV. */
export const ReportPage = () => {
  const { id = '' } = useParams()
  const report = useQuery(reportQuery(id))
  usePaperColors()
  if (isMissing(report.error)) return <NotFound />
  return (
    <>
      <PageHeader
        title={report.data ? `Report: ${report.data.campaign.title}` : 'Report'}
        back={
          <span className="print:hidden">
            <BackLink to={paths.campaign(id)}>Campaign</BackLink>
          </span>
        }
        actions={
          <span className="flex flex-wrap gap-2 print:hidden">
            <Button variant="outline" disabled={!report.data} onClick={() => print()}>
              <Printer aria-hidden /> Print
            </Button>
            <Downloads id={id} />
          </span>
        }
      />
      <Query of={report} loading={<Loading />} errorTitle="Failed to load the report">
        {loaded => <ReportSheet report={loaded} />}
      </Query>
    </>
  )
}

const failed = (error: unknown) => notify.error(messageOf(error, 'Failed to download the report'))

const Downloads = ({ id }: { id: string }) => {
  const params = { id }
  const pdf = useTask(() => api.reportPdf({ params }).then(file => downloadBlob('report.pdf', file), failed))
  const csv = useTask(() => api.reportCsv({ params }).then(file => downloadBlob('report.csv', file), failed))
  return (
    <>
      <Button variant="outline" loading={pdf.pending} onClick={() => void pdf.run()}>
        <FileDown aria-hidden /> PDF
      </Button>
      <Button variant="outline" loading={csv.pending} onClick={() => void csv.run()}>
        <Sheet aria-hidden /> CSV
      </Button>
    </>
  )
}

const NotFound = () => (
  <MissingPage
    title="Report not found"
    hint="Check the URL, or find the campaign in your list."
    to={paths.campaigns}
    back="Back to campaigns"
  />
)

const Loading = () => (
  <div role="status" className="grid gap-5">
    <span className="sr-only">Loading the report</span>
    <Skeleton className="h-48 rounded-xl" />
    <Skeleton className="h-96 rounded-xl" />
  </div>
)
