import { useInfiniteQuery } from '@tanstack/react-query'
import { Bug } from 'lucide-react'
import type { Campaign } from '../../campaigns/contract.ts'
import { hasEnded } from '../../campaigns/rules.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { shownOf } from '../../kit/web/ui/foundWords.ts'
import { NoRows } from '../../kit/web/ui/NoRows.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'
import { Toolbar } from '../../kit/web/ui/Toolbar.tsx'
import { useUrlFilters } from '../../kit/web/urlFilters.ts'
import { severityWords, statusWords } from '../rules.ts'
import { bugSeverities, bugStatuses } from '../terms.ts'
import { BugList } from './BugList.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { bugFilters, bugPages } from './calls.ts'

const statusOptions = [
  { value: '', label: 'All statuses' },
  ...bugStatuses.map(value => ({ value, label: statusWords[value] })),
]
const severityOptions = [
  { value: '', label: 'All severities' },
  ...bugSeverities.map(value => ({ value, label: severityWords[value] })),
]

/** For the owner and admins: what testers reported, with filters, and the files for a tracker. */
export const BugsTab = ({ campaign }: { campaign: Campaign }) => {
  const { filters, filtered, change } = useUrlFilters(bugFilters)
  const bugs = useInfiniteQuery(bugPages(campaign.id, filters))
  return (
    <>
      <Toolbar
        search={{
          value: filters.search,
          onSearch: search => change({ search }),
          label: 'Search bugs',
          placeholder: 'Title or #number',
        }}
      >
        <div className="grid grid-cols-2 gap-3 sm:flex">
          <Select
            aria-label="Status"
            value={filters.status ?? ''}
            options={statusOptions}
            onValue={value => change({ status: bugStatuses.find(each => each === value) ?? null })}
          />
          <Select
            aria-label="Severity"
            value={filters.severity ?? ''}
            options={severityOptions}
            onValue={value => change({ severity: bugSeverities.find(each => each === value) ?? null })}
          />
        </div>
        <ExportMenu campaignId={campaign.id} />
      </Toolbar>
      <InfiniteQuery
        of={bugs}
        loading={<SkeletonList count={5} className="h-16" />}
        errorTitle="Failed to load bugs"
        found={{ words: shownOf('bug'), by: filters }}
        empty={
          <NoRows
            filtered={filtered}
            title="No bugs found"
            hint="Try other words or filters."
            onClear={() => change({ search: '', status: null, severity: null })}
            none={<NoBugs ended={hasEnded(campaign.status)} />}
          />
        }
      >
        {items => (
          <Card flush className={bugs.isPlaceholderData ? 'opacity-60 transition-opacity' : 'transition-opacity'}>
            <BugList of={items} whose="everybody" />
          </Card>
        )}
      </InfiniteQuery>
    </>
  )
}

const NoBugs = ({ ended }: { ended: boolean }) => (
  <EmptyState
    title={ended ? 'No bugs' : 'No bugs yet'}
    hint={
      ended
        ? 'Testers of this campaign did not report any.'
        : 'Bugs that testers report appear here. We will notify you.'
    }
    icon={<Bug aria-hidden />}
  />
)
