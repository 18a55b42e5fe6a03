import { useQuery } from '@tanstack/react-query'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { fewest } from '../terms.ts'
import { developersQuery, ownQuery, testersQuery } from './calls.ts'
import { developerWords, testerWords } from './words.ts'

const Lines = ({ of: lines, none }: { of: readonly string[]; none: string }) =>
  lines.length === 0 ? (
    <p className="text-muted-foreground">{none}</p>
  ) : (
    <ul className="grid gap-1">
      {lines.map(line => (
        <li key={line} className="tabular-nums">
          {line}
        </li>
      ))}
    </ul>
  )

const loading = <Skeleton className="h-10" />

/** What a tester has shown elsewhere, for the developer. */
export const TesterFigures = ({ campaignId, testerId }: { campaignId: string; testerId: string }) => (
  <Query of={useQuery(testersQuery(campaignId))} loading={loading} errorTitle="Failed to load the track record">
    {testers => {
      const tester = testers.find(({ id }) => id === testerId)
      return (
        <Lines
          of={tester ? testerWords(tester) : []}
          none={
            tester
              ? `Fewer than ${fewest} tests so far: there is nothing to show yet.`
              : 'Shown while the test is open.'
          }
        />
      )
    }}
  </Query>
)

/** How a developer reviews, for a tester who has not joined yet. */
export const DeveloperFigures = ({ developerId }: { developerId: string }) => (
  <Query
    of={useQuery(developersQuery([developerId]))}
    loading={loading}
    errorTitle="Failed to load the developer’s record"
  >
    {([developer]) => (
      <Lines
        of={developer ? developerWords(developer) : []}
        none={`Fewer than ${fewest} proofs reviewed so far: there is nothing to show yet.`}
      />
    )}
  </Query>
)

/** What the other side sees of oneself. */
export const OwnFigures = () => (
  <Query
    of={useQuery(ownQuery)}
    loading={<Skeleton className="h-32 rounded-xl" />}
    errorTitle="Failed to load your record"
  >
    {({ tester, developer }) => (
      <Card
        title="Your record"
        description={
          tester
            ? 'What developers see about you, rounded and without your name.'
            : 'What testers see about you before they join one of your campaigns.'
        }
      >
        <Lines
          of={tester ? testerWords(tester) : developer ? developerWords(developer) : []}
          none={`Figures appear after ${fewest} ${tester ? 'tests' : 'proofs'}.`}
        />
      </Card>
    )}
  </Query>
)
