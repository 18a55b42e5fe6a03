/** Parses requests, in this one place; each invalid field gets a message for people (product.md §5). */
import type { z, ZodType } from 'zod'
import { DomainError, type FieldErrors } from '../errors.ts'
import { hostileIn, hostileMessages } from './hostile.ts'

type Issue = z.core.$ZodIssue

export const hostile = (why: keyof typeof hostileMessages, field = ''): DomainError => {
  const message = hostileMessages[why]
  return new DomainError('INVALID_INPUT', message, field === '' ? {} : { fields: { [field]: message } })
}

/** Parses one part of a request with its schema. Throws INVALID_INPUT with a message for each field. */
export const parse = (schema: ZodType | undefined, value: unknown, part: 'path' | 'query' | 'body'): unknown => {
  if (!schema) return undefined
  const found = hostileIn(value)
  if (found !== null) throw hostile(found.why, found.path)
  // An empty message marks issues without a message in the contract: zod's own messages are for programmers.
  const parsed = schema.safeParse(value, { error: () => '' })
  if (parsed.success) return parsed.data
  if (part === 'path') throw new DomainError('NOT_FOUND', 'There is nothing at this address.')
  if (part === 'body' && value === undefined) {
    const { error } = schema.safeParse({}, { error: () => '' })
    const fields = error ? invalid(error).fields : undefined
    throw new DomainError('INVALID_INPUT', 'Send a JSON body with this request.', fields && { fields })
  }
  throw invalid(parsed.error)
}

/** `message` is the first field's, so a caller who shows only one message shows a useful one. */
const invalid = (error: z.ZodError): DomainError => {
  const issues = error.issues.flatMap(unfold)
  const fields: FieldErrors = {}
  for (const issue of issues) {
    const path = issue.path.join('.')
    if (path !== '' && !Object.hasOwn(fields, path)) fields[path] = sentence(issue)
  }
  return new DomainError('INVALID_INPUT', issues[0] ? sentence(issues[0]) : 'The request is not valid.', { fields })
}

/** The union's own message, unless the value has the basic type of one of its options: then that option's. */
const unfold = (issue: Issue): Issue[] => {
  if (issue.code !== 'invalid_union') return [issue]
  const closest = issue.errors.find(option =>
    option.every(inner => inner.path.length > 0 || inner.code !== 'invalid_type'),
  )
  return closest ? closest.map(inner => ({ ...inner, path: [...issue.path, ...inner.path] })) : [issue]
}

const nouns: Record<string, string> = {
  string: 'text',
  array: 'a list',
  object: 'an object',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
}

const sentence = (issue: Issue): string => {
  if (issue.code === 'invalid_type' && issue.path.length === 0) return 'The request body must be a JSON object.'
  if (issue.message !== '') return issue.message
  return `The field "${issue.path.join('.')}" ${whatIsWrong(issue)}.`
}

const whatIsWrong = (issue: Issue): string => {
  if (issue.code === 'invalid_type') return `must be ${nouns[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (issue.code === 'too_big')
    return issue.inclusive === false
      ? `must be less than ${issue.maximum}`
      : `may be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : ''}`
  if (issue.code === 'too_small')
    return issue.inclusive === false
      ? `must be more than ${issue.minimum}`
      : `must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters long' : ''}`
  return 'is not valid'
}
