import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { installCached } from '../helpers/cached-install.ts'
import { freePort } from '../helpers/free-port.ts'
import { defaultApps, startTestSandbox } from '../helpers/sandbox.ts'

// The suite of the MCP project for authorization servers. Of its releases, only this one has it; it needs Node 22.
const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
const major = Number(process.versions.node.split('.')[0])

let program: string
let obstacle: string | undefined = major < 22 ? 'the suite needs Node 22' : undefined
beforeAll(async () => {
  if (obstacle !== undefined) return
  const installed = await installCached('npm-package', [suite], async (into) => {
    const args = ['install', '--prefix', into, '--no-audit', '--no-fund', suite]
    await promisify(execFile)('npm', args)
  })
  obstacle = installed.obstacle
  const scope = join(installed.folder, 'node_modules', '@modelcontextprotocol')
  program = join(scope, 'conformance', 'dist', 'index.js')
}, 240_000)
beforeEach(({ skip }) => skip(obstacle !== undefined, obstacle))

test('the authorization scenarios of the conformance suite pass', { timeout: 60_000 }, async () => {
  const sandbox = await startTestSandbox({ autoApprove: 'alice' })
  const { clientId } = defaultApps(sandbox).public
  const args = ['authorization', '--url', sandbox.url, '--client-id', clientId]
  const port = String(await freePort())
  const child = spawn(process.execPath, [
    program,
    ...args,
    '--resource',
    `${sandbox.url}/mcp`,
    '--port',
    port,
  ])
  let printed = ''
  let isOpened = false
  child.stdout.on('data', (data: Buffer) => {
    printed += data.toString()
    const [url] =
      /http:\S+\/oauth\/authorize\?\S+(?=\s[^]*Callback server started)/.exec(printed) ?? []
    if (url === undefined || isOpened) return
    isOpened = true
    // As a browser opens it.
    void fetch(url, { headers: { accept: 'text/html' } })
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  expect(printed).toMatch(/Total: [3-9]\d* passed, 0 failed/)
  expect(code).toBe(0)
})
