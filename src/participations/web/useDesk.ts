import { useRef, useState, useSyncExternalStore } from 'react'
import { NavigationType, useNavigationType } from 'react-router'
import { isOffline } from '../../kit/web/offline.ts'
import { words, useUrlValue } from '../../kit/web/urlFilters.ts'
import { waitsForConsent } from '../consent.ts'
import type { CampaignTester } from '../contract.ts'
import { useWholeRoster } from './roster.ts'
import { byDeadline } from './urgency.ts'
import { verifications, whom } from './verifications.ts'

/** The next proof after the decided one, otherwise the first that is left. */
const nextOf = (queue: readonly CampaignTester[], decided: ReadonlySet<string>, at: string) => {
  const left = queue.filter(({ id }) => !decided.has(id))
  const place = queue.findIndex(({ id }) => id === at)
  return left.find(tester => queue.indexOf(tester) > place) ?? left[0]
}

/** The waiting proofs, nearest deadline first, the one on the desk (in the URL), and what can be done with it. */
export const useDesk = (campaignId: string) => {
  const roster = useWholeRoster(campaignId, 'SUBMITTED')
  const verifying = useSyncExternalStore(verifications.subscribe, verifications.all)
  // The URL is for reloads and links: it changes too late for a key that is pressed right after a decision.
  const [linkedId, setLinkedId] = useUrlValue('test', words)
  const [openId, setOpenId] = useState(linkedId)
  const [addressedId, setAddressedId] = useState(linkedId)
  // The desk itself replaces the history entry; a link, Back and Forward do not.
  const isOwnAddress = useNavigationType() === NavigationType.Replace
  /** Proofs reviewed since the roster was loaded. */
  const [reviewed, setReviewed] = useState({ ids: new Set<string>(), loadedAt: 0 })
  const [said, say] = useState('')
  /** The proof that the reader went to, '' if none is left. The focus follows the reader, not what has loaded. */
  const goingTo = useRef<string | null>(null)
  if (linkedId !== addressedId) {
    setAddressedId(linkedId)
    if (!isOwnAddress) {
      setOpenId(linkedId)
      say('')
    }
  }

  // Proofs that wait for an admin come last: their owner has decided.
  const submitted = byDeadline(roster.data?.pages.flatMap(({ items }) => items) ?? []).toSorted(
    (a, b) => Number(waitsForConsent(a)) - Number(waitsForConsent(b)),
  )
  const leaving = new Set([
    ...verifying.flatMap(({ ids }) => ids),
    ...(reviewed.loadedAt === roster.dataUpdatedAt ? reviewed.ids : []),
  ])
  const queue = submitted.filter(({ id }) => !leaving.has(id))
  const place = Math.max(
    queue.findIndex(({ id }) => id === openId),
    0,
  )
  const open = queue[place]
  // Until the reader moves on, the desk shows the first of the queue.
  if (openId === '' && open) setOpenId(open.id)
  /** The open proof was decided by somebody else, or by time: now another one is shown that the reader has not chosen. */
  const isReplaced = openId !== '' && open !== undefined && open.id !== openId && !roster.hasNextPage

  const show = (tester: CampaignTester | undefined, saying: string) => {
    const id = tester?.id ?? ''
    goingTo.current = id
    say(saying)
    setOpenId(id)
    setLinkedId(id, { push: false })
  }
  const step = (by: 1 | -1) => {
    const tester = queue[place + by]
    if (tester) show(tester, '')
    else say(by === 1 ? 'This is the last proof.' : 'This is the first proof.')
  }
  /** Goes on to the next proof. */
  const goOn = (decided: readonly CampaignTester[], saying: string) => {
    const next = open && nextOf(queue, new Set(decided.map(({ id }) => id)), open.id)
    show(next, `${saying} ${next ? `Next: ${next.alias}.` : 'That was the last proof.'}`)
  }

  return {
    roster,
    queue,
    open,
    place,
    isReplaced,
    said,
    goingTo,
    next: () => step(1),
    previous: () => step(-1),
    show: (tester: CampaignTester) => show(tester, ''),
    /** A key or a press that was meant for the previous proof must not decide this one. */
    choose: () => open && show(open, `The previous proof was decided elsewhere. This is ${open.alias}.`),
    verify: (testers: readonly CampaignTester[]) => {
      verifications.decide({ campaignId, testers })
      const who = whom({ aliases: testers.map(({ alias }) => alias) })
      goOn(testers, `${who} will be verified ${isOffline() ? 'when you are back online' : 'in 5 seconds'}.`)
    },
    /** After a request for changes or a rejection has been sent. */
    reviewedNow: (tester: CampaignTester, saying: string) => {
      const { dataUpdatedAt: loadedAt } = roster
      setReviewed(before => ({
        ids: new Set([...(before.loadedAt === loadedAt ? before.ids : []), tester.id]),
        loadedAt,
      }))
      goOn([tester], saying)
    },
    /**
     * After an admin was asked to consent to a rejection: the proof stays, and the next proof that waits for its owner is shown.
     */
    askedNow: (tester: CampaignTester) => {
      const saying = `An admin decides on ${tester.alias}’s proof.`
      const others = queue.filter(one => one.id === tester.id || !waitsForConsent(one))
      const next = nextOf(others, new Set([tester.id]), tester.id)
      if (next) show(next, `${saying} Next: ${next.alias}.`)
      else say(saying)
    },
    undo: () => {
      const undone = verifications.undo()
      if (!undone) return
      const tester = submitted.find(({ id }) => id === undone.ids[0])
      show(tester, `Undone: ${whom(undone)} ${undone.ids.length > 1 ? 'are' : 'is'} not verified.`)
    },
  }
}

export type Desk = ReturnType<typeof useDesk>
