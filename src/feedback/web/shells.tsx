/** The feedback form's editor before its code has loaded (src/app/web/screenShells.tsx). */
import { hasEnded } from '../../campaigns/rules.ts'
import { campaignStatuses } from '../../campaigns/terms.ts'
import { OnceSaid } from '../../kit/web/ui/Said.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import { Templates } from './Templates.tsx'

/** A form without questions, of a campaign that nobody has joined, begins with the templates. */
const blank = {
  status: campaignStatuses.filter(status => !hasEnded(status)),
  'others.0.joined': [0],
  'others.0.questions.length': [0],
}

export const FormBuilderShell = () => (
  <OnceSaid needs={blank} until={<SkeletonList />}>
    <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start">
      <div inert className="min-w-0">
        <Templates onChosen={() => undefined} />
      </div>
    </div>
  </OnceSaid>
)
