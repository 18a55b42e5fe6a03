import { useQuery } from '@tanstack/react-query'
import { Sheet } from 'lucide-react'
import type { Campaign, Platform } from '../../campaigns/contract.ts'
import { paths } from '../../kit/paths.ts'
import { counted } from '../../kit/words.ts'
import { messageOf } from '../../kit/web/apiError.ts'
import { downloadBlob } from '../../kit/web/download.ts'
import { useTask } from '../../kit/web/task.ts'
import { useUrlFilters } from '../../kit/web/urlFilters.ts'
import { useUser } from '../../kit/web/user.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import { EmptyState, Skeleton } from '../../kit/web/ui/States.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { FeedbackForm, FeedbackResults, ResultsQuery } from '../contract.ts'
import { QuestionResultCard } from './QuestionResultCard.tsx'
import { SusCard } from './SusCard.tsx'
import { api, resultsQuery } from './calls.ts'
import { hasEnded } from '../../campaigns/rules.ts'

const asItStands = (text: string): string => text

type Props = { campaign: Campaign; form: FeedbackForm }

export const Results = ({ campaign, form }: Props) => {
  const { filters, filtered, change, reset } = useFilters()
  const results = useQuery(resultsQuery(campaign.id, filters))
  return (
    <Query
      of={results}
      loading={<Loading />}
      errorTitle="Failed to load the answers"
      found={{ words: ({ answered }) => `${counted(answered, 'answer')} found`, by: filters }}
    >
      {loaded => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <div className="flex flex-wrap items-end gap-x-3 gap-y-3">
            <p className="mr-auto basis-full sm:basis-auto">
              <span className="text-base font-semibold tabular-nums">
                {filtered
                  ? `${loaded.answered} of ${counted(loaded.answeredInAll, 'answer')}`
                  : `${loaded.answered} of ${form.joined}`}
              </span>{' '}
              {filtered ? 'with these filters' : 'who joined answered'}
            </p>
            <Filters of={loaded} filters={filters} onChange={change} />
            <Download campaignId={campaign.id} filters={filters} />
            <EditForm campaign={campaign} />
          </div>
          {loaded.answered === 0 ? (
            <EmptyState
              title="No answers match these filters"
              hint="No one with this device and system version has answered."
              action={
                <Button variant="outline" onClick={reset}>
                  Clear the filters
                </Button>
              }
            />
          ) : (
            <Answers of={loaded} platform={campaign.platform} />
          )}
        </div>
      )}
    </Query>
  )
}

/** Kept in the URL, so that reloads and links preserve them. */
const useFilters = () => {
  const { filters, filtered, change } = useUrlFilters({ device: asItStands, osVersion: asItStands })
  const asked: ResultsQuery = {
    ...(filters.device && { device: filters.device }),
    ...(filters.osVersion && { osVersion: filters.osVersion }),
  }
  return { filters: asked, filtered, change, reset: () => change({ device: '', osVersion: '' }) }
}

type FiltersProps = {
  of: FeedbackResults
  filters: ResultsQuery
  onChange: (changed: { device?: string; osVersion?: string }) => void
}

const optionsOf = (all: string, tallies: FeedbackResults['devices']) => [
  { value: '', label: all },
  ...tallies.map(({ value, testers }) => ({ value, label: `${value} (${testers})` })),
]

const Filters = ({ of: { devices, osVersions }, filters, onChange }: FiltersProps) => (
  <>
    <Select
      aria-label="Device"
      className="min-w-0 flex-1 basis-36 sm:max-w-56"
      options={optionsOf('All devices', devices)}
      value={filters.device ?? ''}
      onValue={device => onChange({ device })}
    />
    <Select
      aria-label="System version"
      className="min-w-0 flex-1 basis-36 sm:max-w-44"
      options={optionsOf('All versions', osVersions)}
      value={filters.osVersion ?? ''}
      onValue={osVersion => onChange({ osVersion })}
    />
  </>
)

const Download = ({ campaignId, filters }: { campaignId: string; filters: ResultsQuery }) => {
  const csv = useTask(() =>
    api.resultsCsv({ params: { id: campaignId }, query: filters }).then(
      file => downloadBlob('feedback.csv', file),
      (error: unknown) => notify.error(messageOf(error, 'Failed to download the answers')),
    ),
  )
  return (
    <Button variant="outline" loading={csv.pending} onClick={() => void csv.run()}>
      <Sheet aria-hidden /> CSV
    </Button>
  )
}

const EditForm = ({ campaign }: { campaign: Campaign }) =>
  useUser().role === 'DEVELOPER' && !hasEnded(campaign.status) ? (
    <ButtonLink to={paths.campaignFeedbackForm(campaign.id)} variant="outline">
      Edit the form
    </ButtonLink>
  ) : null

const Answers = ({ of: { sus, questions }, platform }: { of: FeedbackResults; platform: Platform }) => {
  const asked = questions.filter(result => result.asked)
  const earlier = questions.filter(result => !result.asked && result.answered > 0)
  return (
    <>
      {sus && <SusCard sus={sus} />}
      <div className="grid items-start gap-5 lg:grid-cols-2">
        {asked.map(result => (
          <QuestionResultCard key={result.question.id} of={result} platform={platform} />
        ))}
      </div>
      {earlier.length > 0 && (
        <section aria-labelledby="earlier-questions" className="grid gap-3">
          <h2 id="earlier-questions" className="text-base font-semibold">
            Questions of earlier versions
          </h2>
          <div className="grid items-start gap-5 lg:grid-cols-2">
            {earlier.map(result => (
              <QuestionResultCard key={result.question.id} of={result} platform={platform} />
            ))}
          </div>
        </section>
      )}
    </>
  )
}

const Loading = () => (
  <div role="status" className="grid gap-5">
    <span className="sr-only">Loading the answers</span>
    <Skeleton className="h-12" />
    <div className="grid gap-5 lg:grid-cols-2">
      <Skeleton className="h-52 rounded-xl" />
      <Skeleton className="h-52 rounded-xl" />
    </div>
  </div>
)
