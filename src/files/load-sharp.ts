let library: Promise<typeof import('sharp')['default']> | undefined

/** Loads the library for pictures, which is then told to keep none in memory. */
export function loadSharp(): Promise<typeof import('sharp')['default']> {
  library ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    return sharp
  })
  return library
}
