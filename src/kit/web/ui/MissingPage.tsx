import { ButtonLink } from './Button.tsx'
import { PageHeader } from './PageHeader.tsx'

type Props = {
  /** Such as "Bug not found". */
  title: string
  /** Where to look instead. */
  hint: string
  to: string
  /** Such as "Back to campaigns". */
  back: string
}

/** The screen for an address that leads to nothing, or to nothing of the user's own: `isMissing(query.error)`. */
export const MissingPage = ({ title, hint, to, back }: Props) => (
  <>
    <PageHeader title={title} description={hint} />
    <ButtonLink to={to} variant="outline">
      {back}
    </ButtonLink>
  </>
)
