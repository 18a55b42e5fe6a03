/** The check-in form's schema, loaded with zod when the form is first validated. */
import { z } from 'zod'
import { NewCheckIn } from '../contract.ts'

const { minutes } = NewCheckIn.shape

/** The minutes are text while they are typed; the picture is not a field of the form. */
export const CheckInForm = NewCheckIn.omit({ attachmentId: true }).extend({
  minutes: z
    .string()
    .transform(words => (words.trim() === '' ? undefined : Number(words)))
    .pipe(minutes),
})
