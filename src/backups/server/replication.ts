/**
 * PostgreSQL's replication protocol, as spoken by pg_basebackup and pg_receivewal. It works with the embedded PostgreSQL, which
 * lacks these programs, as well as with a given one (protocol-replication in PostgreSQL's manual).
 */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'

/** Internals of pg that its types do not expose. */
type Wire = {
  stream: Socket
  on: (event: 'replicationStart' | 'copyDone', heard: () => void) => void
  query: (text: string) => void
  sendCopyFromChunk: (chunk: Buffer) => void
}
type CopyMessage = { chunk: Buffer }

export type Replication = {
  client: pg.Client
  identify: () => Promise<{ timeline: number }>
  show: (setting: string) => Promise<string>
}

const refused = (error: unknown): never => {
  const { code, message } = error as { code?: string; message: string }
  if (code === '42501' || code === '28000')
    throw new Error(
      `PostgreSQL does not let this role make backups: ${message}. Run “alter role … replication”, and allow it with a line ` +
        '“host replication …” in pg_hba.conf.',
      { cause: error },
    )
  throw error
}

export const connectForReplication = async (url: string): Promise<Replication> => {
  const client = new pg.Client({ connectionString: url, replication: 'true', keepAlive: true } as pg.ClientConfig)
  client.on('error', () => undefined)
  await client.connect().catch(refused)
  return {
    client,
    identify: async () => ({
      timeline: Number((await client.query<{ timeline: string }>('IDENTIFY_SYSTEM')).rows[0]?.timeline),
    }),
    show: async setting => String(Object.values((await client.query(`SHOW ${setting}`)).rows[0] as object)[0]),
  }
}

/** The id of PostgreSQL's process that serves this connection. */
export const processOf = ({ client }: Replication): number => (client as unknown as { processID: number }).processID

/** Does nothing until somebody waits. */
const nobody = () => {}

/** A queue between a socket and a reader. A slow reader pauses the socket. */
const queueFrom = (stream: Socket) => {
  const held: Buffer[] = []
  let bytes = 0
  let over = false
  let failure: unknown
  let wake = nobody
  const most = 4 * 1024 * 1024
  return {
    add: (chunk: Buffer) => {
      // Copied, because pg reuses the buffer for the next message.
      held.push(Buffer.from(chunk))
      bytes += chunk.length
      if (bytes > most) stream.pause()
      wake()
    },
    end: (error?: unknown) => {
      over = true
      failure ??= error
      wake()
    },
    async *read(): AsyncGenerator<Buffer> {
      for (;;) {
        const next = held.shift()
        if (next) {
          bytes -= next.length
          if (bytes <= most) stream.resume()
          yield next
        } else if (failure !== undefined) throw failure
        else if (over) return
        else
          await new Promise<void>(resolve => {
            wake = resolve
          })
      }
    },
  }
}

export type BaseBackup = {
  /** A tar archive of the whole cluster, including the log that it needs. */
  archive: AsyncGenerator<Buffer>
  /** Known once the archive has been read. */
  bounds: () => { startLsn: string; endLsn: string }
}

/** The label appears in PostgreSQL's own log, for people. */
const baseCommand = "BASE_BACKUP (LABEL 'fieldtest', CHECKPOINT 'fast', WAL true, MANIFEST 'no')"

const newArchive = 'n'.charCodeAt(0)
const archiveData = 'd'.charCodeAt(0)

/** More than one archive means that the cluster has tablespaces. */
export const baseBackup = ({ client }: Replication): BaseBackup => {
  const wire = (client as unknown as { connection: Wire }).connection
  const queue = queueFrom(wire.stream)
  const rows: string[] = []
  let archives = 0
  // Behaves like pg's own queries, except that it handles copied data.
  const asked = {
    submit: (connection: Wire) => connection.query(baseCommand),
    handleRowDescription: () => undefined,
    handleDataRow: ({ fields }: { fields: (string | null)[] }) => void rows.push(fields[0] ?? ''),
    handleCommandComplete: () => undefined,
    handleCopyData: ({ chunk }: CopyMessage) => {
      if (chunk[0] === newArchive) archives += 1
      if (chunk[0] === archiveData && archives <= 1) queue.add(chunk.subarray(1))
    },
    handleError: (error: unknown) => queue.end(error),
    handleReadyForQuery: () =>
      queue.end(
        archives > 1
          ? new Error('This database uses tablespaces, which these backups do not support: use pgBackRest instead.')
          : undefined,
      ),
  }
  client.once('end', () => queue.end(new Error('PostgreSQL ended the connection of the backup.')))
  client.query(asked as unknown as pg.Submittable)
  return { archive: queue.read(), bounds: () => ({ startLsn: rows[0] ?? '', endLsn: rows.at(-1) ?? '' }) }
}

/** Bytes of the log, beginning at `at`. */
export type LogPiece = { at: bigint; bytes: Buffer }

export type LogStream = {
  pieces: AsyncGenerator<LogPiece>
  /** Tells PostgreSQL that the log is stored up to here, so that it may delete it. */
  confirm: (lsn: bigint) => void
}

export const lsnOf = (text: string): bigint => {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
const lsnText = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16)}/${(lsn & 0xffffffffn).toString(16)}`.toUpperCase()

const logData = 'w'.charCodeAt(0)
const keepalive = 'k'.charCodeAt(0)
const dataHeaderBytes = 25

/** Reports the same position as written, flushed and applied, and requests no reply. */
const statusOf = (lsn: bigint) => {
  const status = Buffer.alloc(34)
  status.write('r', 0, 'latin1')
  for (const at of [1, 9, 17]) status.writeBigUInt64BE(lsn, at)
  return status
}

/** Streams the log of the slot until the connection ends. `from` is the beginning of a segment. */
export const streamLog = async (
  { client }: Replication,
  { slot, timeline, from }: { slot: string; timeline: number; from: bigint },
): Promise<LogStream> => {
  const wire = (client as unknown as { connection: Wire }).connection
  const queue = queueFrom(wire.stream)
  let confirmed = 0n
  const answer = () => wire.sendCopyFromChunk(statusOf(confirmed))
  const started = new Promise<void>((resolve, reject) => {
    wire.on('replicationStart', resolve)
    const asked = {
      submit: (connection: Wire) =>
        connection.query(`START_REPLICATION SLOT "${slot}" PHYSICAL ${lsnText(from)} TIMELINE ${timeline}`),
      handleCopyData: ({ chunk }: CopyMessage) => {
        if (chunk[0] === logData) queue.add(chunk)
        else if (chunk[0] === keepalive && chunk[17] === 1) answer()
      },
      handleRowDescription: () => undefined,
      handleDataRow: () => undefined,
      handleCommandComplete: () => undefined,
      handleError: (error: unknown) => {
        reject(error as Error)
        queue.end(error)
      },
      handleReadyForQuery: () => queue.end(new Error('PostgreSQL ended the stream of its log.')),
    }
    client.query(asked as unknown as pg.Submittable)
    client.once('end', () => {
      reject(new Error('PostgreSQL ended the connection.'))
      queue.end()
    })
  })
  await started
  const read = async function* (): AsyncGenerator<LogPiece> {
    for await (const chunk of queue.read())
      yield { at: chunk.readBigUInt64BE(1), bytes: chunk.subarray(dataHeaderBytes) }
  }
  return {
    pieces: read(),
    confirm: lsn => {
      confirmed = lsn
      answer()
    },
  }
}

/** Ends the connection at once, since nothing that is under way on it is needed any more. */
export const cutOff = async ({ client }: Replication): Promise<void> => {
  const { stream } = (client as unknown as { connection: Wire }).connection
  if (stream.destroyed) return
  const closed = once(stream, 'close')
  stream.destroy()
  await closed
}
