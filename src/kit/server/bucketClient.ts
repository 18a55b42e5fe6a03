/** The client of S3 services, loaded when it is first asked for. */
import type { Bucket } from './bucketUrl.ts'

/**
 * For a connection, and without a byte either way, which is also so while what was read is written elsewhere. A call has no limit
 * as a whole: a large file may take its time, as long as it goes on.
 */
const patience = { connectionTimeout: 5_000, socketTimeout: 300_000 }

export const bucketClient = async (
  { endpoint, region, accessKeyId, secretAccessKey }: Bucket,
  requestHandler = patience,
) => {
  const s3 = await import('@aws-sdk/client-s3')
  const client = new s3.S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // The bucket in the path is what every S3 service takes; so are requests without a trailing checksum.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler,
  })
  return { s3, client }
}
