/** The client of S3 services, loaded on first use. */
import type { Bucket } from './bucketUrl.ts'

/**
 * Limits for connecting, and for the time without a byte in either direction, which also passes while the caller writes elsewhere
 * what it has read. A call as a whole has no limit: a large file may take long, as long as bytes keep coming.
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
    // Every S3 service accepts the bucket in the path, and requests without a trailing checksum.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler,
  })
  return { s3, client }
}
