/** A folder of a bucket in a store that speaks the protocol of Amazon S3. */
export interface S3Address {
  bucket: string
  /** Empty, or ends with a slash. */
  prefix: string
  /** The address of the store, without a slash at its end. */
  endpoint: string
  region: string
}

/** Parses an address such as `s3://bucket/folder?endpoint=https://…&region=…`. @throws an error that says what is wrong */
export function parseS3Address(text: string): S3Address {
  const [, bucket, path = '', query = ''] =
    /^s3:\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(\/[^?#]*)?(\?[^#]*)?$/.exec(text) ?? []
  if (bucket === undefined)
    throw new Error(
      'must be an address such as s3://bucket/folder?endpoint=https://s3.example.com&region=eu-central-1',
    )
  if (bucket.length < 3 || bucket.length > 63)
    throw new Error('must have a bucket whose name has 3 to 63 characters')
  const prefix = path.replace(/^\/|\/$/g, '')
  if (!/^[\w.-]*(\/[\w.-]+)*$/.test(prefix) || /(^|\/)\.{1,2}(\/|$)/.test(prefix))
    throw new Error('must have a folder of letters, digits, and . _ - / only')
  const given = new URLSearchParams(query)
  for (const name of given.keys())
    if (name !== 'endpoint' && name !== 'region')
      throw new Error('can only have endpoint and region behind ?')
  const region = given.get('region') ?? 'us-east-1'
  if (!/^[a-z0-9-]+$/.test(region)) throw new Error('must have a region such as eu-central-1')
  const endpoint = URL.parse(given.get('endpoint') ?? `https://s3.${region}.amazonaws.com`)
  if (
    !endpoint ||
    !/^https?:$/.test(endpoint.protocol) ||
    endpoint.pathname !== '/' ||
    endpoint.search ||
    endpoint.hash
  )
    throw new Error('must have an endpoint such as https://s3.example.com')
  if (endpoint.username || endpoint.password)
    throw new Error(
      'must have an endpoint without credentials: these are PARLEY_FILES_KEY and PARLEY_FILES_SECRET',
    )
  return { bucket, prefix: prefix && `${prefix}/`, endpoint: endpoint.origin, region }
}
