/** The part of s3rver that the tests use, since it has no types of its own. */
declare module 's3rver' {
  import type { IncomingMessage, ServerResponse } from 'node:http'
  export default class S3rver {
    constructor(options: {
      directory: string
      silent: boolean
      vhostBuckets: boolean
      configureBuckets: { name: string }[]
    })
    configureBuckets(): Promise<unknown>
    getMiddleware(): (request: IncomingMessage, response: ServerResponse) => void
  }
}
