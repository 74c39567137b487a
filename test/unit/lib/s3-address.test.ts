import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseS3Address } from '../../../src/lib/s3-address.ts'

it('an address of a store has a bucket, and by default the region and endpoint of Amazon', () => {
  const amazon = {
    bucket: 'files',
    prefix: '',
    endpoint: 'https://s3.us-east-1.amazonaws.com',
    region: 'us-east-1',
  }
  assert.deepEqual(parseS3Address('s3://files'), amazon)
  assert.deepEqual(parseS3Address('s3://files/'), amazon)
  assert.deepEqual(parseS3Address('s3://my.files/of/parley?endpoint=http://127.0.0.1:9000/&region=auto'), {
    ...{ bucket: 'my.files', prefix: 'of/parley/', endpoint: 'http://127.0.0.1:9000', region: 'auto' },
  })
})

it('a bucket has a name of 3 to 63 characters, and says so', () => {
  for (const bucket of ['b', 'bb', 'b'.repeat(64)])
    assert.throws(() => parseS3Address(`s3://${bucket}`), /bucket whose name has 3 to 63 characters/, bucket)
  for (const bucket of ['bbb', 'b'.repeat(63)])
    assert.equal(parseS3Address(`s3://${bucket}/of`).bucket, bucket)
  for (const bucket of ['-bb', 'bb-', ''])
    assert.throws(() => parseS3Address(`s3://${bucket}`), /an address such as/, bucket)
})
