/** Admins' decisions on aging escrow. */
import * as escrow from '../../../campaigns/server/escrow.ts'
import type { Decision } from '../books.ts'
import { adminOf, callerOf, type Make, named, onCampaign, once, reason } from './making.ts'

const words: Record<Decision, string> = {
  EXTENDED: 'extends',
  RENEWAL_ASKED: 'asks for a new payment of',
  CANCELLED: 'cancels, for its age,',
}
const does = { EXTENDED: escrow.extend, RENEWAL_ASKED: escrow.askRenewal, CANCELLED: escrow.cancelAging }

const deciding = (decision: Decision): Make =>
  onCampaign(
    (c, books) => books.whyNotDecide(c, decision) === null,
    (c, scene, _, key) => {
      const { books } = scene
      const admin = adminOf(scene)
      return {
        label: `the admin ${words[decision]} ${named(c)}`,
        run: () => does[decision]({ admin: callerOf(admin), id: c.id, reason, key }),
        ...once(scene, key, admin, () => {
          const refusal = books.whyNotDecide(c, decision)
          if (refusal !== null) return refusal
          c.decisions.push(decision)
          if (decision === 'EXTENDED') books.extended(c)
          else if (decision === 'RENEWAL_ASKED') c.asked = true
          else books.cancelled(c)
          return null
        }),
      }
    },
    // Preferred are requests for a new payment while tests are open, and other decisions during a renewal.
    (c, books) => (decision === 'RENEWAL_ASKED' ? books.openOf(c) > 0 : books.isBeingRenewed(c)),
  )

export const extend = deciding('EXTENDED')
export const askAnew = deciding('RENEWAL_ASKED')
export const cancelAging = deciding('CANCELLED')
