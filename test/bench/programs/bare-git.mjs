// Smallest server for git: git's http-backend behind Node, without authentication.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { options, ready } from './child.mjs'

/** Folder of bare repos. */
const { root } = options()

const server = createServer((request, response) => {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
  const git = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'alice',
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  })
  request.pipe(git.stdin)
  // git may respond before it has read the whole request.
  git.stdin.on('error', () => undefined)
  let head = Buffer.alloc(0)
  const readHead = (/** @type {Buffer} */ chunk) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    git.stdout.off('data', readHead)
    for (const line of head.subarray(0, end).toString().split('\r\n')) {
      const [name = '', value = ''] = line.split(': ')
      if (name === 'Status') response.statusCode = Number.parseInt(value)
      else response.setHeader(name, value)
    }
    response.write(head.subarray(end + 4))
    git.stdout.pipe(response)
  }
  git.stdout.on('data', readHead)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  ready(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})
