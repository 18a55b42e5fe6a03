/** What the campaign form is checked with: loaded when it is first checked or saved, and zod with it. */
import { z } from 'zod'
import { type CampaignChange, NewCampaign } from '../contract.ts'
import { sameValues } from './sameValues.ts'

/** People type dollars, so what is no amount is not called cents. */
export const FilledCampaign = NewCampaign.extend({
  payPerTesterCents: z
    .number({ error: 'Enter an amount in dollars, such as 10.00' })
    .pipe(NewCampaign.shape.payPerTesterCents.unwrap()),
})

/** Only what differs from when the form was opened: edits of two people that cross are then merged field by field. */
export const changeOf = (values: z.input<typeof NewCampaign>, wish: NewCampaign): CampaignChange => {
  const before = NewCampaign.safeParse(values).data
  const fields = Object.keys(wish) as (keyof NewCampaign)[]
  return Object.fromEntries(
    fields.filter(field => !sameValues(wish[field], before?.[field])).map(field => [field, wish[field]]),
  )
}
