import { fileURLToPath } from 'node:url'

/** The project's folder, wherever the process was started from. */
export const projectRoot: string = fileURLToPath(new URL('../../..', import.meta.url))
