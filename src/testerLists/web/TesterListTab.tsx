import { useState } from 'react'
import type { Campaign } from '../../campaigns/contract.ts'
import { allOf, counted } from '../../kit/words.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { DateTime, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { ListEntry, TesterList } from '../contract.ts'
import { AppliedCard } from './AppliedCard.tsx'
import { ConfirmListDialog } from './ConfirmListDialog.tsx'
import { Exports } from './Exports.tsx'
import { Step } from './Step.tsx'
import { useTesterList } from './calls.ts'
import { confirmLabelOf, keptOutWords, mayConfirm, placeOf, tellHintOf, unnamedWords } from './words.ts'

/** For the owner of a campaign with a tester list. */
export const TesterListTab = ({ campaign }: { campaign: Campaign }) => (
  <Query
    of={useTesterList(campaign.id)}
    loading={<Skeleton className="h-80 rounded-xl" />}
    errorTitle="Failed to load the tester list"
  >
    {list => (
      <div className="grid gap-5">
        <ListCard campaign={campaign} list={list} />
        {(list.mayApply || list.appliedAt) && <AppliedCard campaign={campaign} list={list} />}
      </div>
    )}
  </Query>
)

type Props = { campaign: Campaign; list: TesterList }

const ListCard = ({ campaign, list }: Props) => {
  const [confirming, setConfirming] = useState(false)
  const [failedAfter, setFailedAfter] = useState<{ before: TesterList['exportedAt'] } | null>(null)
  const isConfirmed = list.confirmedAt !== null && list.exportedAt !== null && list.confirmedAt >= list.exportedAt
  const missed = failedAfter !== null && !isConfirmed && list.exportedAt !== failedAfter.before
  const waits = mayConfirm(list) && !missed
  const asks = waits && (list.state === 'EXPORTED' || list.state === 'CHANGED')
  return (
    <Card title="Tester list" description={placeOf(list.accessMode).intro}>
      <div className="grid gap-5">
        {campaign.groupLink && (
          <p className="wrap-anywhere">
            Your group:{' '}
            <a
              href={campaign.groupLink}
              target="_blank"
              rel="noopener noreferrer"
              className="text-link underline underline-offset-4"
            >
              {campaign.groupLink}
            </a>
          </p>
        )}
        <State list={list} />
        <Changes list={list} />
        {list.unnamed.aliases.length > 0 && (
          <Alert tone="yellow" title={`Keep ${allOf(list.unnamed.aliases)} ${placeOf(list.accessMode).inside}`}>
            {unnamedWords(list)}
          </Alert>
        )}
        {list.ndaAwaited > 0 && (
          <p className="text-muted-foreground">{counted(list.ndaAwaited, 'more tester')} once the NDA is accepted.</p>
        )}
        {list.erasedAt === null && (
          <Exports
            campaignId={campaign.id}
            list={list}
            missed={missed}
            onFailed={before => setFailedAfter({ before })}
            onArrived={() => setFailedAfter(null)}
          >
            {isCurrent => (
              <Step title="Then tell us" hint={missed ? 'Export the list again first.' : tellHintOf(list)}>
                <Button
                  variant={asks ? 'primary' : 'outline'}
                  disabled={!waits || !isCurrent}
                  onClick={() => setConfirming(true)}
                >
                  {confirmLabelOf(list)}
                </Button>
              </Step>
            )}
          </Exports>
        )}
      </div>
      {confirming && <ConfirmListDialog campaign={campaign} list={list} onClose={() => setConfirming(false)} />}
    </Card>
  )
}

const State = ({ list }: { list: TesterList }) => {
  const { state, accessMode, additions, testers, ndaAwaited, exportedAt, confirmedAt, erasedAt } = list
  const { where } = placeOf(accessMode)
  if (erasedAt !== null) {
    return (
      <Alert>
        The addresses of this campaign were erased <DateTime at={erasedAt} />, 30 days after its end.
      </Alert>
    )
  }
  switch (state) {
    case 'NOTHING_TO_DO':
      if (testers === 0) {
        const when = ndaAwaited > 0 ? 'accept the NDA' : 'join'
        return <Alert>No testers to add yet. Testers appear here as soon as they {when}.</Alert>
      }
      return (
        <Alert tone="green" title="Up to date">
          {counted(testers, 'tester')} {accessMode === 'GOOGLE_GROUP' ? 'in' : 'on'} {where}
          {confirmedAt && (
            <>
              , as you confirmed <RelativeTime at={confirmedAt} />
            </>
          )}
          .
        </Alert>
      )
    case 'TO_EXPORT':
      if (additions.length === 0)
        return <Alert>No one is waiting to be added. You can remove the testers listed below from {where}.</Alert>
      return additions.every(({ notLetIn }) => notLetIn !== null) ? (
        <Alert tone="yellow">
          Google Play does not let the testers below in. Look into what they report, then export the list and confirm it
          again.
        </Alert>
      ) : (
        <Alert tone="yellow">Testers are waiting for you: add the ones listed below to {where}.</Alert>
      )
    case 'EXPORTED':
      return (
        <Alert tone="blue" title="Exported, not confirmed yet">
          You exported the list {exportedAt && <RelativeTime at={exportedAt} />}. Once {where} is updated, press “
          {confirmLabelOf(list)}”.
        </Alert>
      )
    case 'CHANGED':
      return (
        <Alert tone="yellow" title="Changed since your export">
          The list has changed since you exported it {exportedAt && <RelativeTime at={exportedAt} />}. Export it again,
          or confirm that export: later changes stay here.
        </Alert>
      )
  }
}

const Changes = ({ list: { additions, removals, unnamed, accessMode } }: { list: TesterList }) =>
  additions.length + removals.length > 0 && (
    <div className="grid gap-4 sm:grid-cols-2">
      <Entries title="To add" entries={additions} notes={keptOutWords(additions, accessMode)} />
      <Entries
        title="To remove"
        entries={removals}
        notes={[
          ...(removals.some(isUnsure) ? [unsure] : []),
          ...(removals.some(({ erased }) => erased) ? [erasedWords(accessMode, unnamed.aliases.length > 0)] : []),
        ]}
      />
    </div>
  )

/**
 * Exported but never confirmed. A tester who reported that Google Play does not let them in is not unsure: their report undid a
 * confirmation.
 */
const isUnsure = ({ listed, notLetIn }: Pick<ListEntry, 'listed' | 'notLetIn'>) => !listed && notLetIn === null

const unsure =
  'Testers marked with a question mark were in an export that you never confirmed: remove them if they are there.'

/** `keeps`: another tester whose address is erased should stay. */
const erasedWords = (mode: TesterList['accessMode'], keeps: boolean): string => {
  if (keeps) return 'Erased addresses are not included in any export: these may stay until you have applied.'
  return mode === 'GOOGLE_GROUP'
    ? 'Erased addresses are not included in any export: remove them from the group by hand.'
    : 'Erased addresses are not included in any export. The whole list leaves them out, so uploading it removes them.'
}

type EntriesProps = {
  title: string
  entries: readonly ListEntry[]
  notes: readonly string[]
}

const Entries = ({ title, entries, notes }: EntriesProps) => (
  <section className="min-w-0 rounded-md border p-3">
    <h3 className="font-semibold">
      {title} <span className="text-muted-foreground tabular-nums">{entries.length}</span>
    </h3>
    {entries.length === 0 ? (
      <p className="text-muted-foreground">Nobody</p>
    ) : (
      <ul className="mt-2 flex flex-wrap gap-1.5">
        {entries.map(({ id, alias, erased, listed, notLetIn }) => (
          <li key={id}>
            <Badge tone="outline">
              {alias}
              {title === 'To remove' && isUnsure({ listed, notLetIn }) && '?'}
              {erased && ' (address erased)'}
            </Badge>
          </li>
        ))}
      </ul>
    )}
    {notes.map(note => (
      <p key={note} className="mt-2 text-muted-foreground">
        {note}
      </p>
    ))}
  </section>
)
