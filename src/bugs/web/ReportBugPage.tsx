import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { isMissing } from '../../kit/web/apiError.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { MissingPage } from '../../kit/web/ui/MissingPage.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { startedPart } from '../../kit/web/ui/laterPart.ts'
import { testQuery } from './calls.ts'
import { reportTitle } from './reportWords.ts'
import { mayReportNow, waitsForNdaNow } from './mayReportNow.ts'

const loading = <Skeleton className="h-96 max-w-2xl rounded-xl" />
const ReportBugForm = startedPart(async () => (await import('./ReportBugForm.tsx')).ReportBugForm, loading)

export const ReportBugPage = () => {
  const { id = '' } = useParams()
  const test = useQuery(testQuery(id))
  if (isMissing(test.error)) return <NotFound />
  return (
    <>
      <PageHeader
        title={reportTitle}
        description={test.data?.campaign.title}
        back={<BackLink to={paths.myTest(id)}>My test</BackLink>}
      />
      <Query of={test} loading={loading} errorTitle="Failed to load the test">
        {loaded => (
          <div className="max-w-2xl">
            {mayReportNow(loaded) ? (
              <ReportBugForm test={loaded} />
            ) : (
              <Alert>
                {waitsForNdaNow(loaded)
                  ? 'Accept the NDA of this test first. You can then report bugs.'
                  : 'Your test is over, so you can no longer report bugs for it.'}
              </Alert>
            )}
          </div>
        )}
      </Query>
    </>
  )
}

const NotFound = () => (
  <MissingPage
    title="Test not found"
    hint="Check the URL, or find the test in your list."
    to={paths.myTests}
    back="Back to My Tests"
  />
)
