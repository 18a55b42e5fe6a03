import { describe, expect, it } from 'vitest'
import { applyEdits } from './edits.ts'
import { sqlArguments } from './sqlArguments.ts'
import { sqlConditions } from './sqlConditions.ts'
import { sqlOperators } from './sqlOperators.ts'
import { functionStatement, liveFunctions, templatesIn } from './sqlPlaces.ts'
import { tokensOf } from './sqlTokens.ts'
import { parse } from './syntax.ts'
import { readVocabulary } from './vocabulary.ts'

const path = 'migrations/001-orders.sql'
const vocabulary = readVocabulary([{ path, source: "check (status in ('OPEN', 'PAID', 'SENT'))" }])

const operators = [...sqlOperators, ...sqlConditions, ...sqlArguments]

const mutantsBy = (name: string, source: string, tokens = tokensOf(source, { start: 0, end: source.length })) => {
  const operator = operators.find(one => one.name === name)
  if (!operator) throw new Error(`no operator ${name}`)
  return [...tokens.keys()].flatMap(index =>
    operator.find({ path, source, tokens, vocabulary }, index).map(edits => applyEdits(source, edits)),
  )
}

const examples: [operator: string, source: string, mutants: string[]][] = [
  ['comparison in SQL', 'update o set a = 1 where b >= 2', ['update o set a = 1 where b > 2']],
  ['comparison in SQL', 'x := y; f(a => 1)', []],
  [
    'arithmetic in SQL',
    'select *, count(*), o.* from o where a - b * c > 0',
    ['select *, count(*), o.* from o where a + b * c > 0', 'select *, count(*), o.* from o where a - b / c > 0'],
  ],
  ['least and greatest', 'x := least(a, b)', ['x := greatest(a, b)']],
  ['number in SQL', 'where a > 3 limit 1', ['where a > 4 limit 1', 'where a > 2 limit 1']],
  [
    'enum value replaced in SQL',
    "where status = 'PAID' and name = 'paid'",
    ["where status = 'SENT' and name = 'paid'"],
  ],
  ['boolean flipped in SQL', 'set done = true', ['set done = false']],
  ['coalesce removed', 'x := coalesce(f(a, b), 0) + 1', ['x := f(a, b) + 1']],
  ['lock removed', 'select a from o where id = 1 for update of o', ['select a from o where id = 1 ']],
  ['lock removed', 'for o in select a from p', []],
  [
    'order reversed',
    'select a from o order by f(a, b), c limit 2',
    ['select a from o order by f(a, b) desc, c limit 2'],
  ],
  ['order reversed', 'select a from o order by a desc', ['select a from o order by a asc']],
  ['distinct removed', 'select distinct a where a is distinct from b', ['select  a where a is distinct from b']],
  ['union/union all swapped', 'select 1 union all select 2', ['select 1 union  select 2']],
  ['left join replaced with inner join', 'from a left join b on true', ['from a  join b on true']],
  [
    'update assignment removed',
    'update o set a = f(1, 2), b = 3 where c = 4',
    ['update o set b = 3 where c = 4', 'update o set a = f(1, 2) where c = 4'],
  ],
  [
    'statement removed',
    "begin perform f(1); if x then raise exception 'no'; end if; end",
    ["begin null; if x then raise exception 'no'; end if; end", 'begin perform f(1); if x then null; end if; end'],
  ],
  ['and/or swapped', 'where a and b between 1 and 2', ['where a or b between 1 and 2']],
  [
    'part of a condition removed in SQL',
    'select a from o where b = 1 and c order by d',
    ['select a from o where true and c order by d', 'select a from o where b = 1 and true order by d'],
  ],
  [
    'part of a condition removed in SQL',
    'if a or (b and c) then',
    ['if false or (b and c) then', 'if a or false then', 'if a or (true and c) then', 'if a or (b and true) then'],
  ],
  ['where removed', 'update o set a = 1 where id = 2 returning a', ['update o set a = 1 where true returning a']],
  ['condition negated in SQL', 'if not found then return; end if;', ['if found then return; end if;']],
  [
    'condition negated in SQL',
    "case a when 'x' then 1 end; case when a > 1 then 2 end",
    ["case a when 'x' then 1 end; case when not (a > 1) then 2 end"],
  ],
  [
    'guard removed in SQL',
    'if a = 0 then return; end if; if b then return; else c; end if;',
    ['if false then return; end if; if b then return; else c; end if;'],
  ],
  [
    'null check negated',
    'where a is null and b is not null and c is distinct from d',
    [
      'where a is not null and b is not null and c is distinct from d',
      'where a is null and b is  null and c is distinct from d',
      'where a is null and b is not null and c is not distinct from d',
    ],
  ],
  [
    'arguments swapped',
    'f(p_from bigint, p_to bigint, p_key text) as perform g(array[p_key], p_from, p_to, null)',
    ['f(p_from bigint, p_to bigint, p_key text) as perform g(array[p_key], p_to, p_from, null)'],
  ],
  [
    'argument replaced with null',
    'perform g(array[p_key], 1, p_to)',
    ['perform g(null, 1, p_to)', 'perform g(array[p_key], 1, null)'],
  ],
  ['not operator removed', 'where not exists (select) and a is not null', ['where  exists (select) and a is not null']],
]

describe('operators for SQL', () => {
  it.each(examples)('%s: %s', (operator, source, mutants) => {
    expect(mutantsBy(operator, source)).toEqual(mutants)
  })

  it('each have an example', () => {
    const known = new Set(examples.map(([operator]) => operator))
    expect(operators.map(({ name }) => name).filter(name => !known.has(name))).toEqual([])
  })

  it('ignore comments and the insides of strings', () => {
    const source = '-- a > 1\nselect \'b > 2 and c\', "d > 3" /* e > 4 */'
    expect(operators.flatMap(({ name }) => mutantsBy(name, source))).toEqual([])
  })
})

describe('SQL in files and templates', () => {
  it('is read with each hole of a template as one operand', () => {
    const source = 'sql`select a from o where id = ${ids[0]} and b > ${least}`'
    const [tokens] = templatesIn(parse('x.ts', source)!, source)
    expect(mutantsBy('part of a condition removed in SQL', source, tokens)).toEqual([
      'sql`select a from o where true and b > ${least}`',
      'sql`select a from o where id = ${ids[0]} and true`',
    ])
  })

  it('is mutated where it runs: in the last body of each function', () => {
    const first = { path: 'a.sql', source: 'create function f(x int) returns int language sql as $$ select 1 $$;' }
    const second = {
      path: 'b.sql',
      source: 'create or replace function f(x int) returns int as $x$ select 2 $x$ language sql;',
    }
    const [live, ...others] = liveFunctions([first, second])
    expect(others).toEqual([])
    expect(live).toMatchObject({ name: 'f', path: 'b.sql' })
    expect(second.source.slice(live!.body.start, live!.body.end)).toBe(' select 2 ')
    expect(functionStatement(first.source)).toMatch(/^create or replace function f\(x int\)/)
  })
})
