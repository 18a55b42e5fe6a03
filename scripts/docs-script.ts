/** Part of `npm run build`: the script of /docs, since a server may not write to the folder that it runs from. */
import { scriptName } from '../src/app/server/docs/script.ts'

process.stdout.write(`dist/docs/${await scriptName()}\n`)
