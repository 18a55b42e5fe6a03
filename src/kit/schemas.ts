/** The building blocks of every slice's contract. */
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { isWebLink } from './links.ts'
import { lastPageByNumber } from './numbered.ts'
import { problemOf } from './publicLinks.ts'
import { isVisible, seenLength } from './seenText.ts'
import { grouped } from './words.ts'

/** PostgreSQL accepts ids in either case; lowercase makes them comparable as texts. */
export const idOr = (error?: string) => z.uuid(error === undefined ? {} : { error }).toLowerCase()
export const Id = idOr()
export const Instant = z.iso.datetime()
export const Day = z.iso.date()

/** Cents in a reply. */
export const Cents = z.int()

/** An email address in a reply. */
export const EmailAddress = z.email()

/** Params of every path with one id. */
export const ById = z.object({ id: Id })

const tooLong = (label: string, max: number) => `${label} may have at most ${grouped(max)} characters`

/**
 * Collapses white space, line breaks and control characters to single spaces, and removes characters that change the text
 * direction.
 */
const inOneLine = (words: string): string =>
  words
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** A text of any number of lines: trimmed, not empty, at most `max` characters. */
export const text = (label: string, max: number) =>
  z
    .string({ error: `${label} is required` })
    .normalize('NFC')
    .trim()
    .min(1, { error: `${label} is required` })
    .max(max, { error: tooLong(label, max) })
    .refine(isVisible, { error: `${label} is required` })

/** A text of at least `min` characters, with each run of spaces between words counted once. */
export const longText = (label: string, { min, max, error }: { min: number; max: number; error: string }) =>
  text(label, max)
    .min(min, { error })
    .refine(words => words.length < min || seenLength(words) >= min, { error })

/** What nobody can see is as good as not given. */
const blankIfUnseen = (words: string): string => (isVisible(words) ? words : '')

export const optionalText = (label: string, max: number) =>
  z
    .string({ error: `${label} must be text` })
    .normalize('NFC')
    .trim()
    .overwrite(blankIfUnseen)
    .max(max, { error: tooLong(label, max) })

/** Normalizes letters, so a search finds an é whether it was typed as one code point or as two. */
const inOneSpelling = (words: string): string => inOneLine(words).normalize('NFC')

const lineOf = (label: string, max: number, tidy: (words: string) => string) =>
  z
    .string({ error: `${label} is required` })
    .overwrite(tidy)
    .min(1, { error: `${label} is required` })
    .max(max, { error: tooLong(label, max) })
    .refine(isVisible, { error: `${label} is required` })

/** A single-line text, such as a name, a title or a subject. */
export const line = (label: string, max: number) => lineOf(label, max, inOneSpelling)

export const optionalLine = (label: string, max: number) =>
  z
    .string({ error: `${label} must be text` })
    .overwrite(words => blankIfUnseen(inOneSpelling(words)))
    .max(max, { error: tooLong(label, max) })

/** A filter of a list; empty or ALL means no filter (spec §5). `error` is the message for any other value. */
export const filterOf = <T extends z.ZodType>(choice: T, error: string) =>
  z.union([choice, z.literal(['', 'ALL'], { error }).transform(() => undefined)], { error }).optional()

/** A filter by one of `choices`. */
export const filter = <const T extends string>(choices: readonly T[], error: string) =>
  filterOf(z.enum(choices, { error }), error)

/** How messages write a limit, and what they call a whole number of this unit. */
type Unit = { shown: (limit: number) => string; whole: string }

/** A whole number from `min` to `max`, with messages that name the limits. */
export const wholeNumber = (
  label: string,
  min: number,
  max: number,
  { shown, whole }: Unit = { shown: grouped, whole: 'a whole number' },
) =>
  z
    .number({ error: `${label} must be a number` })
    .int({ error: `${label} must be ${whole}` })
    .min(min, { error: `${label} must be at least ${shown(min)}` })
    .max(max, { error: `${label} may be at most ${shown(max)}` })

/** A number in the query string; an empty one, as forms send it, counts as not given. */
const queryNumber = (label: string, min: number, max: number, preset: number) =>
  z
    .preprocess(
      given => (given === '' ? preset : given),
      z.coerce
        .number({ error: `${label} must be a number` })
        .int({ error: `${label} must be a whole number` })
        .min(min, { error: `${label} must be at least ${min}` })
        .max(max, { error: `${label} may be at most ${max}` }),
    )
    .default(preset)
    .meta({ default: preset })

export const wrongCursor = 'The cursor is not valid for this list'

/** For a list whose positions are not the ids of its items. */
export const cursorLike = (pattern: RegExp, example: string) =>
  z
    .string()
    .regex(pattern, { error: wrongCursor })
    .meta({ examples: [example] })
    .optional()

/** Keyset pages: `cursor` is the id of the last item seen (product.md §1: default limit 100). */
export const KeysetQuery = z.object({
  limit: queryNumber('Limit', 1, 100, 100),
  cursor: idOr(wrongCursor).optional(),
})

/** For a list whose order is a sequence and not the ids. */
export const SequenceQuery = KeysetQuery.extend({ cursor: cursorLike(/^\d{1,18}$/, '1042') })

/** Leads to a position in one list with one choice of filters; made and read in src/kit/server/numberedLists.ts. */
const NumberedCursor = cursorLike(/^[\w-]{22,400}$/, 'Zm9vYmFyYmF6cXV4WyJuIiwiMDE5YWI1YTQiXQ')

/** For the lists that the spec calls paginated: the list's filters, a page number, and the cursor that leads to that page. */
export const numberedQuery = <Filters extends z.ZodRawShape>(presetLimit: number, filters: Filters) =>
  z
    .object({
      page: queryNumber('Page', 1, 1_000_000_000, 1),
      limit: queryNumber('Limit', 1, 100, presetLimit),
      cursor: NumberedCursor,
      ...filters,
    })
    .superRefine((query, context) => {
      const { page, cursor } = query as { page: number; cursor?: string }
      if (page <= lastPageByNumber || cursor !== undefined) return
      context.addIssue({ code: 'custom', path: ['page'], message: 'For later pages, use the next link' })
    })

/** `{ data, page, limit, total }` (product.md §1). */
const numberedPage = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    page: z.int(),
    limit: z.int(),
    total: z.int(),
    /** True if there are more than 10,000; `total` is then approximate. */
    totalIsEstimate: z.boolean(),
  })

/** The body of an endpoint's answer; undefined if it is empty or a file. */
export const bodyOf = ({ reply, pageOf, numbered }: Endpoint): z.ZodType | undefined =>
  pageOf ? (numbered ? numberedPage(pageOf) : z.array(pageOf)) : reply

/** A link that strangers are sent to: http or https, public, and without a user name. */
export const publicLink = (label: string) =>
  // Not normalized, because the file at the address has its name in this spelling.
  lineOf(label, 2000, inOneLine)
    .refine(isWebLink, { error: `${label} must be a full address that starts with http:// or https://`, abort: true })
    .refine(link => problemOf(link) !== 'NAMES_A_USER', { error: `${label} may not contain a user name or password` })
    .refine(link => problemOf(link) !== 'NOT_PUBLIC', {
      error: `${label} must lead to a public address: testers cannot reach this one`,
    })
    .meta({ format: 'uri' })
