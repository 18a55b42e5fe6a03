import { useQuery } from '@tanstack/react-query'
import { developersQuery } from './calls.ts'
import { developerLine } from './words.ts'

type Props = {
  developerId: string
  /** All developers of the list, asked about in one call. */
  among: readonly string[]
}

/** How a developer reviews, in a line of a list; nothing while it is unknown. */
export const DeveloperLine = ({ developerId, among }: Props) => {
  const known = useQuery(developersQuery(among)).data?.find(each => each.developerId === developerId)
  const line = known ? developerLine(known) : null
  return line === null ? null : <p className="text-xs text-muted-foreground tabular-nums">{line}</p>
}
