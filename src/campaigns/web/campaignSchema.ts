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
  const fields = Object.keys(input) as (keyof NewCampaign)[]
  return Object.fromEntries(
    fields.filter(field => !sameValues(input[field], before?.[field])).map(field => [field, input[field]]),
  )
}
