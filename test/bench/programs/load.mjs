// Load generator: sends requests as fast as a server handles them. It takes a fraction of the CPU of an HTTP client, so one
// core is enough for it.
import { connect } from 'node:net'
import { cpus } from 'node:os'
import { ready } from './child.mjs'
import { scenarios } from './scenarios.mjs'

/**
 * @typedef {{ status: number, head: string, body: string }} RawResponse
 * @typedef {Generator<string, unknown, RawResponse>} Flow requests of one item; returns a result for the parent process
 */

/**
 * @param {string} text response so far; latin1, so that characters are bytes
 * @returns {{ response: RawResponse, length: number } | undefined} undefined until the response is complete
 */
function readResponse(text) {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = text.slice(0, headEnd)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) return readChunked(text, head, headEnd + 4)
  const end = headEnd + 4 + Number(length)
  if (text.length < end) return undefined
  const response = { status: Number(head.slice(9, 12)), head, body: text.slice(headEnd + 4, end) }
  return { response, length: end }
}

/**
 * @param {string} text
 * @param {string} head
 * @param {number} start position of the first chunk
 * @returns {ReturnType<typeof readResponse>}
 */
function readChunked(text, head, start) {
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) {
    throw new Error(`a response without content-length: ${head}`)
  }
  let body = ''
  let at = start
  for (;;) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (text.length < next) return undefined
    if (size === 0)
      return { response: { status: Number(head.slice(9, 12)), head, body }, length: next }
    body += text.slice(lineEnd + 2, next - 2)
    at = next
  }
}

/**
 * Sends the requests of items over one connection until no item is left.
 * @param {string} url
 * @param {() => Flow | undefined} nextFlow
 * @param {(result: unknown) => void} done
 * @returns {Promise<void>}
 */
function drive(url, nextFlow, done) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname)
  socket.setNoDelay(true)
  socket.setEncoding('latin1')
  return new Promise((resolve, reject) => {
    let flow = nextFlow()
    let text = ''

    function proceed(/** @type {IteratorResult<string, unknown> | undefined} */ step) {
      let next = step
      while (next?.done === true) {
        done(next.value)
        flow = nextFlow()
        next = flow?.next()
      }
      if (next === undefined) {
        socket.end(() => resolve())
        return
      }
      socket.write(next.value, 'latin1')
    }

    socket.on('connect', () => proceed(flow?.next()))
    socket.on('data', (chunk) => {
      text += chunk
      try {
        const read = readResponse(text)
        if (read === undefined) return
        text = text.slice(read.length)
        proceed(flow?.next(read.response))
      } catch (error) {
        socket.destroy()
        reject(error)
      }
    })
    socket.on('error', reject)
    socket.on('end', () => reject(new Error('the server ended the connection')))
  })
}

/**
 * Keeps this program busy while it waits: waking it would cost the server about as much as a response. A machine with one
 * core has no time for that.
 * @returns {() => void} ends it
 */
function stayAwake() {
  let isOver = cpus().length < 2
  function turn() {
    if (!isOver) setImmediate(turn)
  }
  turn()
  return () => {
    isOver = true
  }
}

/**
 * @param {{ url: string, scenario: keyof typeof scenarios, input: any, items: number, connections: number }} run
 * @returns {Promise<{ elapsedMs: number, results: unknown[] }>}
 */
async function run({ url, scenario, input, items, connections }) {
  const { host } = new URL(url)
  /** @type {unknown[]} */
  const results = []
  let taken = 0
  const letSleep = stayAwake()
  const started = performance.now()
  try {
    await Promise.all(
      Array.from({ length: connections }, (_, connection) =>
        drive(
          url,
          () =>
            taken < items
              ? scenarios[scenario]({ ...input, host }, taken++, connection)
              : undefined,
          (result) => {
            if (result !== undefined) results.push(result)
          },
        ),
      ),
    )
  } finally {
    letSleep()
  }
  return { elapsedMs: performance.now() - started, results }
}

ready('', { run })
