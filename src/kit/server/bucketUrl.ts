/** The address of a bucket, with its keys. */
export type Bucket = { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string }

/** Undefined if a % does not begin an escape. */
const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** `https://KEY:SECRET@host/bucket?region=eu-central-1`. */
export const parseBucket = (url: string): Bucket | null => {
  const { protocol, host, pathname, searchParams, username, password } = new URL(url)
  const bucket = pathname.replaceAll(/^\/|\/$/g, '')
  const [accessKeyId, secretAccessKey] = [decoded(username), decoded(password)]
  if (
    !/^https?:$/.test(protocol) ||
    !accessKeyId ||
    !secretAccessKey ||
    !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)
  )
    return null
  return {
    endpoint: `${protocol}//${host}`,
    bucket,
    region: searchParams.get('region') ?? 'us-east-1',
    accessKeyId,
    secretAccessKey,
  }
}
