/** Operators on the arguments that a function passes on, from its own parameters to another function. */
import { type SqlOperator, span } from './sqlOperators.ts'
import { type Token, endOf, isAt } from './sqlTokens.ts'

type Argument = {
  from: number
  to: number
  /** The parameter in it, and what is around the parameter. */
  parameter: string
  around: string
}

const argumentOf = (tokens: readonly Token[], from: number, to: number): Argument[] => {
  const words = tokens.slice(from, to).map(({ text }) => text)
  const [parameter, ...others] = words.filter(word => word.startsWith('p_'))
  if (parameter === undefined || others.length > 0) return []
  return [{ from, to, parameter, around: words.map(word => (word === parameter ? '' : word)).join(' ') }]
}

/** The arguments of `perform f(…)` that contain one parameter each. */
const argumentsAt = (tokens: readonly Token[], index: number): Argument[] => {
  if (!isAt(tokens, index, 'perform') || !isAt(tokens, index + 2, '(')) return []
  const depth = tokens[index + 2]!.depth + 1
  const close = endOf(tokens, index + 3, depth, new Set())
  const found: Argument[] = []
  for (let from = index + 3; from < close;) {
    const to = Math.min(close, endOf(tokens, from, depth, new Set([','])))
    found.push(...argumentOf(tokens, from, to))
    from = to + 1
  }
  return found
}

const typesIn = (source: string) =>
  new Map([...source.matchAll(/\b(p_\w+)\s+(\w+(?:\[\])?)\s*[,)]/g)].map(([, name, type]) => [name!, type!]))

export const sqlArguments: SqlOperator[] = [
  {
    name: 'arguments swapped',
    find: ({ source, tokens }, index) => {
      const types = typesIn(source)
      const given = argumentsAt(tokens, index)
      return given.flatMap((first, place) =>
        given
          .slice(place + 1)
          .filter(
            second => first.around === second.around && types.get(first.parameter) === types.get(second.parameter),
          )
          .map(second => [
            ...span(tokens, first.from, first.to, source.slice(tokens[second.from]!.start, tokens[second.to - 1]!.end)),
            ...span(tokens, second.from, second.to, source.slice(tokens[first.from]!.start, tokens[first.to - 1]!.end)),
          ]),
      )
    },
  },
  {
    name: 'argument replaced with null',
    find: ({ tokens }, index) => argumentsAt(tokens, index).map(({ from, to }) => span(tokens, from, to, 'null')),
  },
]
