/** The form's schema, loaded with zod when the dialog opens. */
import { z } from 'zod'
import { PlayCountInput } from '../contract.ts'

export const PlayCountForm = PlayCountInput.extend({
  day: z.iso.date({ error: 'Choose a day' }),
})
