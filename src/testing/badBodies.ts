/** Bodies that an endpoint has to refuse, made from its own schema and one valid example. */
import { z, type ZodType } from 'zod'

type Schema = z.core.JSONSchema.BaseSchema
type Path = (string | number)[]

/** The schema of a request, without references: the functions below do not follow them. */
export const sentSchema = (schema: ZodType): Schema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-7' })

/** `text` is the raw body, which may be JSON that JSON.stringify cannot write (`1e999`, `"\ud800"`). */
export type BadBody = { why: string; path: Path; text: string }

const hole = '\u{1F573} a hole for raw JSON'

const put = (value: unknown, [step, ...rest]: Path, inner: unknown): unknown => {
  if (step === undefined) return inner
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? put(item, rest, inner) : item))
  const object = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  return { ...object, [step]: put(object[step], rest, inner) }
}

const withRaw = (example: unknown, path: Path, raw: string) =>
  JSON.stringify(put(example, path, hole)).replace(JSON.stringify(hole), () => raw)

const nested = (open: string, close: string, levels = 1000) => open.repeat(levels) + close.repeat(levels)

/** A value of each JSON type. */
const oneOfEach: Record<string, string> = {
  null: 'null',
  boolean: 'true',
  number: '1234',
  string: '"1234"',
  array: '[]',
  object: '{}',
}
const jsonTypeOf = (schema: Schema) => (schema.type === 'integer' ? 'number' : schema.type)

/** What is wrong in any place, whatever else its schema says. */
const wrongFor = (options: Schema[]): [why: string, raw: string][] => {
  const taken = new Set<unknown>(options.map(jsonTypeOf))
  // A schema without a type accepts values of any type.
  const wrong: [string, string][] = Object.entries(taken.has(undefined) ? {} : oneOfEach)
    .filter(([type]) => !taken.has(type))
    .map(([type, raw]) => [`${type} instead of ${[...taken].join(' or ')}`, raw])
  wrong.push(['an array nested 1,000 levels deep', nested('[', ']')])
  wrong.push(['an object nested 1,000 levels deep', `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`])
  wrong.push(['not JSON: NaN', 'NaN'], ['not JSON: Infinity', 'Infinity'], ['not JSON: undefined', 'undefined'])
  for (const schema of options) wrong.push(...(wrongByType[String(schema.type)]?.(schema) ?? []))
  return wrong
}

const text = (value: string): string => JSON.stringify(value)

const wrongNumber = ({ minimum = -Infinity, maximum = Infinity }: Schema): [string, string][] => [
  ['2^53', '9007199254740992'],
  ['1e308', '1e308'],
  ['larger than a double', '1e999'],
  ['smaller than a double', '-1e999'],
  ...(minimum > -Infinity ? ([['below its minimum', String(minimum - 1)]] as [string, string][]) : []),
  ...(minimum >= 0 ? ([['negative', '-1']] as [string, string][]) : []),
  ...(maximum < Number.MAX_SAFE_INTEGER ? ([['above its maximum', String(maximum + 1)]] as [string, string][]) : []),
]

const wrongByType: Record<string, (schema: Schema) => [string, string][]> = {
  string: ({ minLength = 0, maxLength = 100_000, enum: listed }) => [
    ['a NUL character', String.raw`"a\u0000b"`],
    ['a lone surrogate', String.raw`"a\ud800b"`],
    ['a lone low surrogate', String.raw`"\udfff"`],
    ['too long', text('x'.repeat(maxLength + 1))],
    ...(minLength > 0 ? ([['too short', text('x'.repeat(minLength - 1))]] as [string, string][]) : []),
    ...(listed
      ? ([
          ['not in the list', text('NO_SUCH_CHOICE')],
          ['nothing', '""'],
        ] as [string, string][])
      : []),
  ],
  number: wrongNumber,
  integer: schema => [['a fraction', '1000.5'], ['a tiny fraction', '1000.0000001'], ...wrongNumber(schema)],
  array: ({ maxItems }) => [
    ['too many', JSON.stringify(Array.from({ length: (maxItems ?? 10_000) + 1 }, () => 'DE'))],
    ['a number in the list', '[1234]'],
    ['null in the list', '[null]'],
    ['a list in the list', '[["DE"]]'],
    ['NUL in the list', String.raw`["\u0000"]`],
  ],
}

const optionsOf = (schema: Schema): Schema[] => (schema.anyOf as Schema[] | undefined) ?? [schema]

const badIn = (schema: Schema, whole: unknown, path: Path): BadBody[] => {
  const options = optionsOf(schema)
  const here = wrongFor(options).map(([why, raw]) => ({ why, path, text: withRaw(whole, path, raw) }))
  const inside = options.flatMap(option =>
    Object.entries(option.properties ?? {}).flatMap(([key, property]) => [
      ...(option.required?.includes(key) ? [missing(whole, [...path, key])] : []),
      ...badIn(property as Schema, whole, [...path, key]),
    ]),
  )
  return [...here, ...inside]
}

const missing = (whole: unknown, path: Path): BadBody => ({
  why: 'missing',
  path,
  text: JSON.stringify(put(whole, path, undefined)),
})

/** Everything that the schema shows to be wrong, one fault per body. */
export const badBodies = (schema: ZodType, example: unknown): BadBody[] => badIn(sentSchema(schema), example, [])

/** Values of one query parameter that its schema refuses, already percent-encoded. */
export const badQueryValues = (schema: ZodType): { why: string; name: string; query: string }[] =>
  Object.entries(sentSchema(schema).properties ?? {}).flatMap(([name, property]) => {
    const options = optionsOf(property as Schema)
    const [facts = {}] = options
    const takesNothing = options.some(({ enum: listed }) => listed?.includes(''))
    const nothing: [string, string][] = takesNothing ? [] : [['nothing', '']]
    const wrong: [string, string][] = [
      ['NUL', 'a%00b'],
      ['too long', 'x'.repeat((facts.maxLength ?? 5000) + 1)],
      ['given twice', `1&${name}=2`],
    ]
    if (facts.type === 'integer') {
      wrong.push(
        ...['abc', '1.5', '-1', '0', '1e999', 'NaN', '9007199254740992', '0x', '1;2'].map(
          raw => [raw, raw] as [string, string],
        ),
      )
      wrong.push(['above its maximum', String(Number(facts.maximum) + 1)])
    }
    if (facts.enum) wrong.push(['not in the list', 'NO_SUCH_CHOICE'], ...nothing)
    if (facts.format === 'uuid') wrong.push(['no cursor', 'eyJpZCI6MX0'], ...nothing, ['quotes', "'%20or%20true--"])
    return wrong.map(([why, raw]) => ({ why, name, query: `${name}=${raw}` }))
  })
