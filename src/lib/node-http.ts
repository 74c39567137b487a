/**
 * Node's `http`, not imported as an ES module. Such an import reads each export, WebSocket among them, and so loads
 * Node's own copy of undici (16 MB of memory).
 */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http')
