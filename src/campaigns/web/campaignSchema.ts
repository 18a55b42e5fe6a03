/** The campaign form's schema, loaded with zod when the form is first validated or saved. */
import { z } from 'zod'
import { type CampaignChange, NewCampaign } from '../contract.ts'
import { accessProblems } from '../rules.ts'
import { sameValues } from './sameValues.ts'

/** People type dollars, so the message must not mention cents. */
export const FilledCampaign = NewCampaign.extend({
  payPerTesterCents: z
    .number({ error: 'Enter an amount in dollars, such as 10.00' })
    .pipe(NewCampaign.shape.payPerTesterCents.unwrap()),
}).superRefine((campaign, context) => {
  for (const [field, message] of Object.entries(accessProblems(campaign)))
    context.addIssue({ code: 'custom', path: [field], message })
})

/** Only the fields that changed since the form was opened, so that concurrent edits merge field by field. */
export const changeOf = (values: z.input<typeof NewCampaign>, input: NewCampaign): CampaignChange => {
  const before = NewCampaign.safeParse(values).data
  const change: CampaignChange = changedFields(input, before)
  return change.filters ? { ...change, filters: changedFields(input.filters, before?.filters) } : change
}

const changedFields = <T extends object>(input: T, before: T | undefined): Partial<T> =>
  Object.fromEntries(
    Object.entries(input).filter(([field, value]) => !sameValues(value, before?.[field as keyof T])),
  ) as Partial<T>
