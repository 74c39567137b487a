// Loaded before each file of tests: ends its process when it stays alive for too long, as after a test that failed before
// it cleared its interval. Node's own time limit ends tests, and then waits for their process.
const limit = Number(process.env.PARLEY_TEST_FILE_LIMIT_MS)
// The runner loads it, too.
if (limit > 0 && process.env.NODE_TEST_CONTEXT)
  setTimeout(() => {
    const held = [...new Set(process.getActiveResourcesInfo())].join(', ')
    process.stderr.write(`${process.argv[1]} was ended after ${limit / 1000} s, held by ${held}\n`)
    process.exit(1)
  }, limit).unref()

export {}
