import { useQuery } from '@tanstack/react-query'
import { fewest } from '../terms.ts'
import { LineFrame } from './LineFrame.tsx'
import { developersQuery } from './calls.ts'
import { developerLine } from './words.ts'

type Props = {
  developerId: string
  /** All developers of the list, asked about in one call. */
  among: readonly string[]
}

const none = `Fewer than ${fewest} proofs reviewed so far`

/** How a developer reviews, in a line of a list. */
export const DeveloperLine = ({ developerId, among }: Props) => {
  const known = useQuery(developersQuery(among)).data?.find(each => each.developerId === developerId)
  return <LineFrame>{known && (developerLine(known) ?? none)}</LineFrame>
}
