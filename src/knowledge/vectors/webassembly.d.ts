/** The part of WebAssembly that is used. TypeScript declares all of it only together with the browser's names. */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { initial: number; maximum?: number; shared?: boolean })
    readonly buffer: ArrayBuffer | SharedArrayBuffer
  }
  class Module {
    constructor(code: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, Memory>>)
    readonly exports: Record<string, unknown>
  }
}
