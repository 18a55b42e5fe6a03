/** The withdrawal form's schema, loaded with zod when the form is first validated. */
import { z } from 'zod'
import type { Balance } from '../contract.ts'
import { withdrawalProblem, withdrawalSentence } from '../rules.ts'

/** The rule's messages for the field. An empty field has none, because the button is disabled then. */
export const amountWithin = (limits: Pick<Balance, 'balanceCents' | 'minimumWithdrawalCents'>) =>
  z.object({
    amountCents: z
      .custom<number>(value => typeof value === 'number')
      .check(({ value, issues }) => {
        const problem = Number.isNaN(value) ? 'EMPTY' : withdrawalProblem(value, limits, null)
        if (problem === null) return
        const message =
          problem === 'EMPTY'
            ? 'Enter an amount such as 10.00'
            : withdrawalSentence[problem](limits.minimumWithdrawalCents)
        issues.push({ code: 'custom', message, input: value })
      }),
  })
