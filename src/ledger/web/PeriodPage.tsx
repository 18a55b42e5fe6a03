/** What a month's statement and a year's summary share: the paper with its sums, two files, and a table below. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { paths } from '../../kit/paths.ts'
import type { DescriptionItem } from '../../kit/web/ui/Card.tsx'
import { dateTimeIn, zoneNote } from '../paperWords.ts'
import type { Period } from '../papersContract.ts'
import { DownloadButton } from './DownloadButton.tsx'
import { PaperPage } from './Paper.tsx'
import { PaperSheet, Person } from './PaperSheet.tsx'
import { balanceItems, paymentItems } from './Sums.tsx'

const home = { name: 'Statements', to: paths.statements }

type Props<T> = {
  of: UseQueryResult<T>
  title: string
  paper: 'statement' | 'summary'
  subject: 'month' | 'year'
  pdf: () => Promise<Blob>
  csv: () => Promise<Blob>
  /** Below the sums that both kinds have. */
  renderSums: (loaded: T) => DescriptionItem[]
  /** Above and below the notes about time that both kinds have. */
  renderNotes?: (loaded: T) => { first?: ReactNode; last: ReactNode }
  /** The heading of the table. */
  heading: string
  children: (loaded: T) => ReactNode
}

export const PeriodPage = <T extends Period>({
  of: query,
  title,
  paper,
  subject,
  pdf,
  csv,
  renderSums,
  renderNotes,
  heading,
  children,
}: Props<T>) => (
  <PaperPage
    of={query}
    title={title}
    paper={paper}
    subject={subject}
    home={home}
    renderFiles={({ number }) => (
      <>
        <DownloadButton kind="PDF" fileName={`${number}.pdf`} ask={pdf} />
        <DownloadButton kind="CSV" fileName={`${number}.csv`} ask={csv} />
      </>
    )}
  >
    {loaded => (
      <PaperSheet
        wide
        facts={[
          { label: 'Number', value: loaded.number },
          { label: 'Issued to', value: <Person of={loaded.person} /> },
          { label: 'As of', value: dateTimeIn(loaded.timeZone, loaded.writtenAt) },
        ]}
        sums={[
          ...(loaded.balance ? balanceItems(loaded.balance) : []),
          ...(loaded.payments ? paymentItems(loaded.payments) : []),
          ...renderSums(loaded),
        ]}
        note={
          <>
            {renderNotes?.(loaded).first}
            {loaded.writtenAt < loaded.until && <p>This {subject} is not over yet, so more lines may follow.</p>}
            <p>{zoneNote(loaded.timeZone)}</p>
            {renderNotes?.(loaded).last}
          </>
        }
      >
        <h2 className="mt-6 mb-2 text-base font-semibold">{heading}</h2>
        {/* Aligned with the ends of the sums' lines. */}
        <div className="[&_td:last-child]:pr-0 [&_th:first-child]:pl-0 [&_th:last-child]:pr-0 [&_tr]:px-0">
          {children(loaded)}
        </div>
      </PaperSheet>
    )}
  </PaperPage>
)
