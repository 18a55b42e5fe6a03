/** The zod pieces that every slice's contract is made of. */
import { z } from 'zod'
import { isWebLink } from './links.ts'

export const Id = z.uuid()
export const Instant = z.iso.datetime()
export const Day = z.iso.date()

/** Cents in a reply. */
export const Cents = z.int()

/** Params of every path with one id. */
export const ById = z.object({ id: Id })

/** A text of a person: trimmed, not empty, at most `max` characters. */
export const text = (label: string, max: number) =>
  z
    .string({ error: `${label} is required` })
    .trim()
    .min(1, { error: `${label} is required` })
    .max(max, { error: `${label} may have at most ${max.toLocaleString('en-US')} characters` })

export const optionalText = (label: string, max: number) =>
  z
    .string({ error: `${label} has to be text` })
    .trim()
    .max(max, { error: `${label} may have at most ${max.toLocaleString('en-US')} characters` })

/** A whole number within limits, with sentences that name them. */
export const wholeNumber = (label: string, min: number, max: number) =>
  z
    .number({ error: `${label} has to be a number` })
    .int({ error: `${label} has to be a whole number` })
    .min(min, { error: `${label} has to be at least ${min.toLocaleString('en-US')}` })
    .max(max, { error: `${label} may be at most ${max.toLocaleString('en-US')}` })

/** A number in the query string. */
const queryNumber = (label: string, min: number, max: number, preset: number) =>
  z.coerce
    .number({ error: `${label} has to be a number` })
    .int({ error: `${label} has to be a whole number` })
    .min(min, { error: `${label} has to be at least ${min}` })
    .max(max, { error: `${label} may be at most ${max}` })
    .default(preset)

/** Keyset pages: `cursor` is the id of the last item seen (product.md §1: default limit 100). */
export const KeysetQuery = z.object({
  limit: queryNumber('Limit', 1, 100, 100),
  cursor: z.uuid({ error: 'The cursor is not one that this list gave' }).optional(),
})

/** Numbered pages, for the lists that the spec calls paginated. */
export const pageQuery = (presetLimit: number) =>
  z.object({ page: queryNumber('Page', 1, 10_000, 1), limit: queryNumber('Limit', 1, 100, presetLimit) })

/** `{ data, page, limit, total }` (product.md §1). */
export const numberedPage = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), page: z.int(), limit: z.int(), total: z.int() })

/** A link that a browser may open: http or https, with a host. */
export const webLink = (label: string) =>
  text(label, 2000).refine(isWebLink, {
    error: `${label} has to be a full address that starts with http:// or https://`,
  })
