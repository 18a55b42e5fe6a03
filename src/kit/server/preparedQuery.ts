/**
 * A prepared statement whose columns are known after its first use on a connection. pg has PostgreSQL describe them each time,
 * and sets each value of a row by name: for the 47 columns of a campaign that cost as much as all of our own code
 * (docs/performance.md). PostgreSQL itself refuses to run a prepared statement whose columns have changed.
 */
import pg from 'pg'

/** The internals of pg that we use; preparedQuery.test.ts checks them. */
type Message = { fields: pg.FieldDef[] }
type Connection = { describe: (what: object) => void }
type Inside = {
  prepare(connection: Connection): void
  handleRowDescription(message: Message): void
  handleCommandComplete(message: object, connection: Connection): void
  _result: { fields: pg.FieldDef[]; parseRow: BuildRow }
  _accumulateRows: boolean
}
/** Without a name it is planned and described each time. */
export type Prepared = { name: string | undefined; text: string; values: unknown[] }
type BuildRow = (values: (string | null)[]) => object

/** The columns of a connection's statements, and a view of the connection that requests no descriptions. */
type Known = { silent: Connection; statements: Map<string, Columns> }
type Columns = { fields: pg.FieldDef[]; buildRow: BuildRow }

const connections = new WeakMap<Connection, Known>()

const knownOf = (connection: Connection): Known => {
  let known = connections.get(connection)
  if (!known) {
    const silent = Object.create(connection, { describe: { value: () => undefined } }) as Connection
    known = { silent, statements: new Map() }
    connections.set(connection, known)
  }
  return known
}

type Parse = (text: string) => unknown
export type TypeParsers = { getTypeParser: (oid: number, format?: 'text' | 'binary') => Parse }

const asIs: Parse = text => text
const text = new Set<number>([pg.types.builtins.TEXT, pg.types.builtins.VARCHAR, pg.types.builtins.UUID])

const builders = new Map<string, BuildRow>()

/** The same columns share one builder, on any connection. */
const rowBuilderOf = (fields: readonly pg.FieldDef[], types: TypeParsers): BuildRow => {
  let columns = ''
  for (const { name, dataTypeID } of fields) columns += `${dataTypeID} ${name} `
  const known = builders.get(columns)
  if (known) return known
  const made = rowBuilder(fields, types)
  builders.set(columns, made)
  return made
}

/** Builds all rows of a statement with one object literal, so they have one shape. */
const rowBuilder = (fields: readonly pg.FieldDef[], { getTypeParser }: TypeParsers): BuildRow => {
  const parsers = fields.map(({ dataTypeID }) => (text.has(dataTypeID) ? asIs : getTypeParser(dataTypeID, 'text')))
  const members = fields.map(({ name }, at) => {
    const value = parsers[at] === asIs ? `v[${at}]` : `v[${at}] === null ? null : p[${at}](v[${at}])`
    return `${JSON.stringify(name)}: ${value}`
  })
  // The names come from our own SQL, and are quoted.
  // oxlint-disable-next-line typescript/no-implied-eval
  return new Function('p', `return v => ({ ${members.join(', ')} })`)(parsers) as BuildRow
}

export type Done = (error: Error | null, result: pg.QueryResult) => void
const Base = pg.Query as unknown as new (text: string, values: unknown[], done: Done) => Inside

/** Pass it to `client.query`. */
export class PreparedQuery extends Base {
  readonly name: string | undefined
  readonly #types: TypeParsers
  #connection: Connection | undefined

  constructor({ name, text: statement, values }: Prepared, types: TypeParsers, done: Done) {
    super(statement, values, done)
    this.name = name
    this.#types = types
  }

  override prepare(connection: Connection): void {
    this.#connection = connection
    const { silent, statements } = knownOf(connection)
    const columns = this.name ? statements.get(this.name) : undefined
    if (columns) this.#use(columns)
    super.prepare(columns ? silent : connection)
  }

  override handleRowDescription({ fields }: Message): void {
    const columns = { fields, buildRow: rowBuilderOf(fields, this.#types) }
    if (this.name) knownOf(this.#connection!).statements.set(this.name, columns)
    this.#use(columns)
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    // A statement that returns no rows gets no row description.
    const { statements } = knownOf(connection)
    if (this.name && !statements.has(this.name)) statements.set(this.name, { fields: [], buildRow: () => ({}) })
    super.handleCommandComplete(message, connection)
  }

  #use({ fields, buildRow }: Columns) {
    this._result.fields = fields
    this._result.parseRow = buildRow
    this._accumulateRows = true
  }
}
