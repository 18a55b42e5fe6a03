/** Finds out whether the server can listen where it is asked to before anything is created, and explains why not. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Env } from './env.ts'

type Place = Pick<Env, 'PORT' | 'HOST'>

const wordsOf = (code: unknown, { PORT, HOST }: Place): string | undefined => {
  if (code === 'EADDRINUSE') return `Port ${PORT} is in use. Stop the program using it, or set PORT to another one.`
  if (code === 'EACCES') return `Only root may listen on port ${PORT}. Set PORT to another one, such as 3000.`
  if (['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL'].includes(String(code)))
    return `HOST must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them. ${HOST} is not one of them.`
  return undefined
}

const inWords = (error: unknown, place: Place): unknown => {
  const words = error instanceof Error && 'code' in error ? wordsOf(error.code, place) : undefined
  return words === undefined ? error : new Error(words, { cause: error })
}

/** Throws an explanation for people if `listen` fails. */
export const listenOn = async (
  place: Place,
  listen: (at: { port: number; host: string }) => unknown,
): Promise<void> => {
  try {
    await listen({ port: place.PORT, host: place.HOST })
  } catch (error) {
    throw inWords(error, place)
  }
}

/** Listens for a moment. Creating a database for a server that cannot be reached would only confuse. */
export const tryListening = (place: Place): Promise<void> =>
  listenOn(place, async at => {
    const server = createServer().listen(at)
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
  })
