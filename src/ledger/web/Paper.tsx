import type { UseQueryResult } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMe } from '../../accounts/web/face.tsx'
import { isMissing } from '../../kit/web/apiError.ts'
import { paths } from '../../kit/paths.ts'
import { usePaperColors } from '../../kit/web/paperColors.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { MissingPage } from '../../kit/web/ui/MissingPage.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { PaperBack } from './PaperSheet.tsx'

type PageProps<T> = {
  of: UseQueryResult<T>
  /** For example "Receipt", with the subject "payment". */
  title: string
  /** The name within a sentence, if it differs from the title. */
  paper?: string
  subject: string
  /** The screen that lists the paper. */
  home?: { name: string; to: string }
  /** The paper as files to download. */
  renderFiles?: (loaded: T) => ReactNode
  children: (loaded: T) => ReactNode
}

const loadingPaper = <Skeleton className="h-120 max-w-2xl" />
const payments = { name: 'Payments', to: paths.payments }

/** The screen of one financial document, for example a receipt, ready to print. */
export const PaperPage = <T,>({
  of: query,
  title,
  paper = title.toLowerCase(),
  subject,
  home = payments,
  renderFiles,
  children,
}: PageProps<T>) => {
  usePaperColors()
  if (isMissing(query.error)) {
    return (
      <MissingPage
        title={`${title} not found`}
        hint={`Check the URL, or find the ${subject} in your list.`}
        to={home.to}
        back={`Back to ${home.name.toLowerCase()}`}
      />
    )
  }
  return (
    <>
      <PageHeader
        title={title}
        back={<PaperBack to={home.to}>{home.name}</PaperBack>}
        actions={
          <>
            <Button variant="outline" className="print:hidden" disabled={!query.data} onClick={() => print()}>
              <Printer aria-hidden /> Print
            </Button>
            {query.data !== undefined && renderFiles?.(query.data)}
          </>
        }
      />
      <Query of={query} loading={loadingPaper} errorTitle={`Failed to load the ${paper}`}>
        {children}
      </Query>
    </>
  )
}

/** Papers show times in the account's time zone, on the screen as in the PDF. */
export const InAccountZone = ({ children }: { children: (timeZone: string) => ReactNode }) => (
  <Query of={useMe()} loading={loadingPaper} errorTitle="Failed to load your time zone">
    {({ timeZone }) => children(timeZone)}
  </Query>
)
