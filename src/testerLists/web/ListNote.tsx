import { Link } from 'react-router'
import type { Campaign } from '../../campaigns/contract.ts'
import { listPlaceOf } from '../../campaigns/listPlace.ts'
import { paths } from '../../kit/paths.ts'
import { counted } from '../../kit/words.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import type { TesterList } from '../contract.ts'
import { useTesterList } from './calls.ts'

const sentenceOf = ({ state, additions, removals, accessMode }: TesterList): string | null => {
  const { where } = listPlaceOf(accessMode)
  switch (state) {
    case 'NOTHING_TO_DO':
      return null
    case 'EXPORTED':
      return `You exported the tester list. Tell us once ${where} is up to date.`
    case 'TO_EXPORT':
    case 'CHANGED':
      // The clock already tells about testers to add.
      return additions.length === 0 ? `${counted(removals.length, 'tester')} can be removed from ${where}.` : null
  }
}

/** On the campaign's overview: what remains to be done with the list, apart from adding testers. */
export const ListNote = ({ campaign }: { campaign: Campaign }) => {
  const list = useTesterList(campaign.id)
  const sentence = list.data ? sentenceOf(list.data) : null
  if (sentence === null) return null
  return (
    <Alert tone="yellow" className="lg:col-span-2">
      {sentence}{' '}
      <Link to={paths.campaignTab(campaign.id, 'list')} className="font-medium underline underline-offset-4">
        Open the tester list
      </Link>
    </Alert>
  )
}
