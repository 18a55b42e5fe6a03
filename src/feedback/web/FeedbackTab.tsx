import { useQuery } from '@tanstack/react-query'
import type { Campaign } from '../../campaigns/contract.ts'
import { paths } from '../../kit/paths.ts'
import { counted } from '../../kit/words.ts'
import { useUser } from '../../kit/web/user.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { EmptyState, Skeleton } from '../../kit/web/ui/States.tsx'
import type { FeedbackForm } from '../contract.ts'
import { Results } from './Results.tsx'
import { formQuery } from './calls.ts'
import { hasEnded } from '../../campaigns/rules.ts'

/** The testers' answers, and a link to the form. */
export const FeedbackTab = ({ campaign }: { campaign: Campaign }) => (
  <Query of={useQuery(formQuery(campaign.id))} loading={<Loading />} errorTitle="Failed to load the feedback">
    {form =>
      form.answered > 0 ? <Results campaign={campaign} form={form} /> : <NoAnswers campaign={campaign} form={form} />
    }
  </Query>
)

const NoAnswers = ({ campaign, form: { questions } }: { campaign: Campaign; form: FeedbackForm }) => {
  const mayEdit = useUser().role === 'DEVELOPER' && !hasEnded(campaign.status)
  const has = questions.length > 0
  const edit = (
    <ButtonLink to={paths.campaignFeedbackForm(campaign.id)} variant={has ? 'outline' : 'primary'}>
      {has ? 'Edit the form' : 'Create a feedback form'}
    </ButtonLink>
  )
  if (has)
    return (
      <EmptyState
        title="No answers yet"
        hint={`Testers answer your ${counted(questions.length, 'question')} with their proof, at the end of their test. Their answers appear here.`}
        action={mayEdit && edit}
      />
    )
  return (
    <EmptyState
      title="No feedback form"
      hint={
        mayEdit
          ? 'Ask testers what you want to know: they answer with their proof. Start with a template, or write your own questions.'
          : 'This campaign had no questions for testers.'
      }
      action={mayEdit && edit}
    />
  )
}

const Loading = () => (
  <div role="status" className="grid gap-5">
    <span className="sr-only">Loading the feedback</span>
    <Skeleton className="h-12" />
    <Skeleton className="h-52 rounded-xl" />
    <Skeleton className="h-52 rounded-xl" />
  </div>
)
