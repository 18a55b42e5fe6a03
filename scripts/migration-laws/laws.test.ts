import { beforeAll, describe, expect, test } from 'vitest'
import { calledOf, calledRetired, missedFunctions } from './functions.ts'
import { breaches } from './laws.ts'
import { loadModule } from './parsed.ts'

beforeAll(() => loadModule())

const first = { name: '001-first.sql', text: 'create table big (id int primary key, name text, note text);' }
const laws = (text: string, more: { name: string; text: string }[] = []) =>
  breaches([first, ...more, { name: '009-new.sql', text }], {
    after: 1,
    release: 4,
    calledFunctions: new Set(['known']),
  })
const alone = (text: string) => laws(`-- no transaction\n${text}`)

describe('a new migration is refused', () => {
  test.each([
    [
      'an index that is created while writes wait',
      'create index i on big (name);',
      'builds an index while writes wait',
    ],
    [
      'a concurrent index in a transaction',
      'create index concurrently i on big (name);',
      'cannot run in a transaction',
    ],
    ['a different type for a column', 'alter table big alter column id type bigint;', 'writes every row'],
    [
      'a default that is computed for each row',
      'alter table big add column key uuid default gen_random_uuid();',
      'its default',
    ],
    ['a computed column', 'alter table big add column n int generated always as (id + 1) stored;', 'writes every row'],
    ['a numbered column', 'alter table big add column n bigint generated always as identity;', 'writes every row'],
    ['a serial column', 'alter table big add column n bigserial;', 'writes every row'],
    ['a required column without a default', 'alter table big add column n int not null;', 'refuses rows from servers'],
    ['a unique column', 'alter table big add column n int unique;', 'builds an index'],
    ['a new column with a check', 'alter table big add column n int check (n > 0);', 'reads every row'],
    ['a check', 'alter table big add constraint c check (id > 0);', 'reads every row'],
    ['a foreign key', 'alter table big add foreign key (id) references big;', 'reads every row'],
    ['a unique constraint', 'alter table big add unique (name);', 'builds an index'],
    [
      'not null without a check',
      'alter table big alter column name set not null;',
      'first add check (name is not null)',
    ],
    ['a validation in a transaction', 'alter table big validate constraint c;', 'holds the locks of this file'],
    ['a change of all rows at once', `update big set name = '';`, 'locks rows until all are done'],
    ['a deletion of all rows at once', 'delete from big;', 'locks rows until all are done'],
    ['an emptied table', 'truncate big;', 'locks everybody out of the table'],
    ['a lock', 'lock table big;', 'locks everybody out of the table'],
    ['a block of code, which cannot be checked', `do $$ begin execute 'drop table big'; end $$;`, 'cannot be checked'],
  ])('with %s', (_, text, reason) => {
    expect(laws(text)).toEqual([expect.stringMatching(/^migrations\/009-new\.sql: `.*` .*\.$/)])
    expect(laws(text)[0]).toContain(reason)
  })

  test.each([
    ['an index that a crash would leave for ever', 'create index concurrently i on big (name);', 'if not exists'],
    ['an update without batches', 'update big set name = upper(name);', 'needs batches'],
    ['a statement that cannot be repeated after a crash', 'alter table big add column n int;', 'cannot be repeated'],
    [
      'two statements on one line',
      `drop index if exists i; drop index if exists j;`,
      'each statement ends with its line',
    ],
  ])('without a transaction with %s', (_, text, reason) => {
    expect(alone(text).join()).toContain(reason)
  })
})

describe('a new migration may', () => {
  test.each([
    [
      'do anything with a table that it creates',
      'create table own (id int); create index o on own (id); update own set id = 1;',
    ],
    ['change a table with few rows', `update settings set pay = 1; create index s on settings (pay);`],
    [
      'add a column with a constant default',
      `alter table big add column n timestamptz not null default now(), add m text not null default '';`,
    ],
    ['add a column that refers to another table', 'alter table big add column other int references big (id);'],
    ['add a constraint that holds for new rows', 'alter table big add constraint c check (id > 0) not valid;'],
    ['add a constraint that uses an existing index', 'alter table big add constraint u unique using index i;'],
    ['drop a constraint', 'alter table big drop constraint c;'],
  ])('%s', (_, text) => expect(laws(text)).toEqual([]))

  test('create indexes, validate constraints and fill columns in batches without making others wait', () => {
    expect(
      alone(`create unique index concurrently if not exists i on big (name);
        alter table big validate constraint c;
        -- Those that have none; it reads as one statement.
        update big set name = ''
          where id in (select id from big where name is null limit 1000);
        drop index concurrently if exists old_index;`).filter(each => !each.includes('drops an index')),
    ).toEqual([])
  })

  test('make a column required if a validated check already guarantees it', () => {
    const check = 'alter table big add constraint named check (name is not null) not valid;'
    const validated = '-- no transaction\nalter table big validate constraint named;'
    const required = 'alter table big alter column name set not null;'
    expect(laws(required, [{ name: '002-check.sql', text: check }])).toHaveLength(1)
    expect(
      laws(required, [
        { name: '002-check.sql', text: check },
        { name: '003-validated.sql', text: validated },
      ]),
    ).toEqual([])
  })
})

describe('what servers of the last release use', () => {
  const takings = [
    ['a column', 'alter table big drop column note;'],
    ['a name', 'alter table big rename column note to remark;'],
    ['a table', 'drop table big;'],
    ['an index', 'drop index big_note;'],
    ['a function', 'drop function if exists known(int);'],
  ] as const

  test.each(takings)('is not removed: %s', (_, text) => {
    expect(laws(text)).toEqual([expect.stringContaining('-- contract: not used since release N')])
    expect(laws(`-- contract: not used since release 5\n${text}`)).toEqual([
      expect.stringContaining('that release 4 uses: first make a release that does not use it'),
    ])
  })

  test.each(takings)('may be removed if the last release does not use it: %s', (_, text) => {
    expect(laws(`-- A reason.\n-- contract: not used since release 4\n${text}`)).toEqual([])
  })

  test('does not include a function that was added later', () => {
    expect(laws('drop function if exists newer(int);')).toEqual([])
  })
})

describe('functions', () => {
  const body = (signature: string) => `create or replace function answer${signature} language sql as $$ select 1 $$;`
  const file = (text: string, name = 'answer') => ({ name: `${name}.sql`, text })
  const answer = file(body('(p int, q text[] default null) returns setof int'))
  const last = { release: 4, functions: calledOf([answer]) }

  test('are recorded with their signatures', () => {
    expect(last.functions).toEqual({ answer: '(p int4, q text[] default) → setof int4' })
  })

  test('may get a new body, and new ones may be added', () => {
    expect(missedFunctions([file(answer.text.replace('1', '2')), file(body('()'), 'more')], last)).toEqual([])
  })

  test.each([
    ['a different type', '(p bigint, q text[] default null) returns setof int'],
    ['a different name', '(n int, q text[] default null) returns setof int'],
    ['one more parameter', '(p int, q text[] default null, r int default 1) returns setof int'],
    ['no default', '(p int, q text[]) returns setof int'],
    ['a different result', '(p int, q text[] default null) returns int'],
  ])('are refused with %s', (_, signature) => {
    expect(missedFunctions([file(body(signature))], last)).toEqual([
      expect.stringContaining('give the new one a new name'),
    ])
  })

  test('stay for one release after they were retired, and that release does not call them', () => {
    expect(missedFunctions([], last)).toEqual([expect.stringContaining('keep it for this release')])
    const retired = file(`-- Says yes.\n-- Retired: better_answer came instead.\n${answer.text}`)
    expect(missedFunctions([retired], last)).toEqual([])
    expect(calledOf([retired])).toEqual({})
    expect(missedFunctions([], { release: 5, functions: calledOf([retired]) })).toEqual([])
    const caller = { name: 'src/answers.ts', text: 'sql`select answer(1)`' }
    expect(calledRetired([retired], [caller])).toEqual([
      'migrations/functions/answer.sql is marked as retired, but src/answers.ts calls answer.',
    ])
    expect(calledRetired([answer], [caller])).toEqual([])
  })
})
