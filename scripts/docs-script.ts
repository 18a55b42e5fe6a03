/** Part of `npm run build`: writes the script of /docs, because a server may be unable to write to the folder it runs from. */
import { scriptName } from '../src/app/server/docs/script.ts'

process.stdout.write(`dist/docs/${await scriptName()}\n`)
