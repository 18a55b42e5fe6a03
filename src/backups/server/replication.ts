/**
 * PostgreSQL's replication protocol, as pg_basebackup and pg_receivewal speak it: the same for the embedded PostgreSQL, which
 * comes without these programs, and for a given one (protocol-replication in PostgreSQL's manual).
 */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'

/** What pg keeps to itself, and its types with it. */
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
      `PostgreSQL lets this role make no backups: ${message}. Run “alter role … replication”, and let it in with a line ` +
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

/** Of PostgreSQL's, which serves this connection. */
export const processOf = ({ client }: Replication): number => (client as unknown as { processID: number }).processID

/** Until somebody waits. */
const nobody = () => {}

/** A queue between a socket and a reader, which holds the socket up when the reader is slow. */
const queueFrom = (stream: Socket) => {
  const held: Buffer[] = []
  let bytes = 0
  let over = false
  let failure: unknown
  let wake = nobody
  const most = 4 * 1024 * 1024
  return {
    add: (chunk: Buffer) => {
      // pg writes the next message over it.
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
  /** The tar archive of the whole cluster, with the log that it needs. */
  archive: AsyncGenerator<Buffer>
  /** Once the archive has been read. */
  bounds: () => { startLsn: string; endLsn: string }
}

/** A name for people in PostgreSQL's own log. */
const baseCommand = "BASE_BACKUP (LABEL 'fieldtest', CHECKPOINT 'fast', WAL true, MANIFEST 'no')"

const newArchive = 'n'.charCodeAt(0)
const archiveData = 'd'.charCodeAt(0)

/** Several archives are a cluster with tablespaces. */
export const baseBackup = ({ client }: Replication): BaseBackup => {
  const wire = (client as unknown as { connection: Wire }).connection
  const queue = queueFrom(wire.stream)
  const rows: string[] = []
  let archives = 0
  // A query of pg's as its own are, but for what comes as copied data.
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
      queue.end(archives > 1 ? new Error('This PostgreSQL has tablespaces: use pgBackRest instead.') : undefined),
  }
  client.once('end', () => queue.end(new Error('PostgreSQL ended the connection of the backup.')))
  client.query(asked as unknown as pg.Submittable)
  return { archive: queue.read(), bounds: () => ({ startLsn: rows[0] ?? '', endLsn: rows.at(-1) ?? '' }) }
}

/** Bytes of the log, from here on. */
export type LogPiece = { at: bigint; bytes: Buffer }

export type LogStream = {
  pieces: AsyncGenerator<LogPiece>
  /** Up to here it lasts elsewhere: PostgreSQL may delete it. */
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

/** Received, written, flushed and applied are the same to us; no answer is asked for. */
const statusOf = (lsn: bigint) => {
  const status = Buffer.alloc(34)
  status.write('r', 0, 'latin1')
  for (const at of [1, 9, 17]) status.writeBigUInt64BE(lsn, at)
  return status
}

/** Streams the log of the slot from `from` on, which starts a segment, until the connection ends. */
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

/** Ends at once: what is under way on it is of no use any more. */
export const cutOff = async ({ client }: Replication): Promise<void> => {
  const { stream } = (client as unknown as { connection: Wire }).connection
  if (stream.destroyed) return
  const closed = once(stream, 'close')
  stream.destroy()
  await closed
}
