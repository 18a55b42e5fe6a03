import type { ReactNode } from 'react'
import { Card } from '../../kit/web/ui/Card.tsx'
import { NdaWords } from './NdaWords.tsx'

export const ndaTitle = 'NDA'

/** `from` is null while its words are not known. */
type Props = { version: ReactNode; from: ReactNode; text: ReactNode }

/** The current text as a reader sees it, also for the document (shells.tsx). */
export const NdaFrame = ({ version, from, text }: Props) => (
  <Card
    title="What testers agree to"
    description={
      <>
        Version {version}
        {from !== null && <>, from {from}</>}
      </>
    }
  >
    <NdaWords text={text} label="The NDA" />
  </Card>
)
