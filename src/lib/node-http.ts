/**
 * Node's `http`, without what importing it as an ES module brings along: that reads each of its exports, its WebSocket
 * among them, and so loads Node's own copy of undici (16 MB of memory).
 */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http')
